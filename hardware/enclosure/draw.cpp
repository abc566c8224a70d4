// Open CASCADE's DRAW, as a program: Debian 13's package occt-draw has the link to it, and not the program.

#include <DBRep.hxx>
#include <Draw.hxx>
#include <DrawTrSurf.hxx>
#include <Draw_Main.hxx>

void Draw_InitAppli(Draw_Interpretor& interpreter) {
    Draw::Commands(interpreter);
    DBRep::BasicCommands(interpreter);
    DrawTrSurf::BasicCommands(interpreter);
}

DRAW_MAIN
