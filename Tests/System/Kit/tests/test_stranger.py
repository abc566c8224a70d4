"""Ten tests as a stranger would write them, from docs/bench-kit.md and the wheel; at most eight lines each."""


def test_a_tap_lights_its_led(box):
    box.tap(track="melody", step=4, degree=2)
    assert box.led(track="melody", step=4, degree=2).colour == box.palette.note("E")


def test_three_tiles_get_their_bytes(bench):
    chains = [{"device": f"/dev/spidev0.{tile}", "tiles": [{"x": 0, "y": 8 * tile, "columns": 44, "rows": 8}]} for tile in range(3)]
    wall = bench.box(config={"panel": {"chip": "SK9822", "chains": chains}})
    led = wall.led("PLAY")
    wall.advance(seconds=2)
    newest = [chain.data[-chain.messages[-1][1]:] for chain in wall.wire()]
    assert all(message[:4] == bytes(4) and message[4] >= 0xe0 for message in newest)
    _, blue, green, red = newest[0][4 + 4 * led.column:][:4]
    assert max(red, blue) < green


def test_white_stays_below_the_limit(bench):
    white = {"bpm": 120, "length": 32, "rootNote": "C", "scale": "major", "tracks": {
        track: [[2] * 32] * 12 for track in ("melody", "chords", "bass", "rhythm")}}
    box = bench.box(config={"panel": {"zones": [{"amps": 2, "from": 0, "count": 1056}]}}, start=white)
    box.set("brightness", 100)
    box.advance(seconds=3)
    assert 1_800 < box.current("5V") <= 2_000


def test_notes_at_137_bpm(bench):
    cells = {track: [[0] * 32 for _ in range(12)] for track in ("melody", "chords", "bass", "rhythm")}
    cells["melody"][0] = [1, 0, 0, 0] * 8
    box = bench.box(start={"bpm": 137, "length": 32, "rootNote": "C", "scale": "major", "tracks": cells})
    box.play()
    frames = [note.frame for note in box.advance(bars=2).notes]
    assert len(frames) == 8
    assert all(abs(frame - frames[0] - beat * 48_000 * 60 / 137) < 1 for beat, frame in enumerate(frames))


def test_a_keyboard_records(box):
    box.set("record", True)
    box.play()
    box.advance(ms=520)
    box.midi("90 40 50")
    box.advance(ms=100)
    box.midi("80 40 00")
    box.advance(seconds=1)
    assert box.pattern["tracks"]["melody"][4][4] == 1


def test_the_power_button_asks_first(box):
    box.button("power")
    box.advance(ms=500)
    assert box.words.word == "OFF?"
    box.button("power")
    assert box.advance(seconds=2).is_off


def test_an_unplugged_overlay_lifts_its_finger(box):
    box.touch("down", "PLAY")
    box.advance(ms=50)
    assert box.fingers == 1
    box.overlay.unplug()
    box.advance(ms=200)
    assert box.fingers == 0


def test_the_menu_looks_as_before(box, golden):
    box.tap("MENU")
    assert box.frame() == golden("menu")


def test_a_live_box_plays(live_box):
    live_box.press("space")
    live_box.wait("the word PLAY", lambda box: box.words.word == "PLAY")
    before = live_box.frame()
    assert live_box.next_frame() != before


def test_a_minute_of_music_needs_no_memory(bench):
    box = bench.box(takes=False)
    box.play()
    used = []
    for _ in range(8):
        box.advance(seconds=10)
        box.sound()
        used.append(bench.memory)
    assert used[-1] - used[1] < 300_000
