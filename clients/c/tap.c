/* Taps a note, plays it for two bars, and prints each note that the box starts.

       cc -o tap tap.c && ./tap pixelboop

   Starts `pixelboop drive` and speaks its lines of JSON: docs/drive.md. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The ends of the pipes to the program and from it. */
static FILE *requests, *answers;

/* Starts `program drive`; returns its process. */
static pid_t start(const char *program)
{
    int in[2], out[2];
    if (pipe(in) != 0 || pipe(out) != 0) {
        perror("pipe");
        exit(1);
    }
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(1);
    }
    if (child == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execlp(program, program, "drive", (char *)NULL);
        perror(program);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    requests = fdopen(in[1], "w");
    answers = fdopen(out[0], "r");
    /* A program that has ended is seen when its answer is read. */
    signal(SIGPIPE, SIG_IGN);
    return child;
}

/* Reads a line; ends this program if there is none, or if it has an error. */
static char *answer(void)
{
    static char *line;
    static size_t size;
    if (getline(&line, &size, answers) < 0) {
        fprintf(stderr, "the program has ended\n");
        exit(1);
    }
    if (strstr(line, "\"error\"")) {
        fprintf(stderr, "%s", line);
        exit(1);
    }
    return line;
}

/* Sends a request; returns its answer, until the next one. */
static char *ask(const char *request)
{
    fprintf(requests, "%s\n", request);
    fflush(requests);
    return answer();
}

/* The number behind `"key":` in an object of JSON. */
static double number(const char *object, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(object, quoted);
    return at ? strtod(at + strlen(quoted), NULL) : 0;
}

int main(int count, char **words)
{
    pid_t child = start(count > 1 ? words[1] : "pixelboop");
    answer();
    ask("{\"do\": \"new\"}");
    /* The LED of the lowest note of the melody on step 4. */
    const char *middle = strstr(ask("{\"do\": \"find\", \"track\": \"melody\", \"step\": 4, \"degree\": 0}"), "\"middle\"");
    double column = 0, row = 0;
    if (!middle || sscanf(middle + strcspn(middle, "[") + 1, "%lf ,%lf", &column, &row) != 2) {
        fprintf(stderr, "the answer has no middle\n");
        return 1;
    }
    char tap[256];
    snprintf(tap, sizeof tap,
             "{\"do\": \"send\", \"lines\": [{\"touch\": 0, \"phase\": \"down\", \"col\": %g, \"row\": %g},"
             " {\"after\": 60, \"touch\": 0, \"phase\": \"up\", \"col\": %g, \"row\": %g}, {\"after\": 40, \"key\": \"space\"}]}",
             column, row, column, row);
    ask(tap);
    /* Each object of the answer ends with the next brace. */
    char *events = ask("{\"do\": \"advance\", \"ms\": 4100, \"only\": [\"note\"]}");
    for (char *object = strtok(events, "}"); object; object = strtok(NULL, "}"))
        if (strstr(object, "\"velocity\""))
            printf("note %g, step %g, frame %.0f\n", number(object, "note"), number(object, "step"), number(object, "frame"));
    fclose(requests);
    int status;
    waitpid(child, &status, 0);
    return status != 0;
}
