/* SPDX-License-Identifier: Apache-2.0 */

/* A bot in C: it reads lines and answers with lines. Change choose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 18, MOVES = 1 << 13 };

static char line[LINE], board[LINE], moves[LINE];
static char *legal[MOVES];

/* choose returns one of the moves in legal, which are the legal moves on the board. */
static const char *choose(const char *fen, char **legal, int count) {
	(void)fen;
	return legal[rand() % count];
}

int main(void) {
	int count = 0;
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\r\n")] = 0;
		if (!strcmp(line, "ugi")) {
			puts("ugiok");
		} else if (!strcmp(line, "isready")) {
			puts("readyok");
		} else if (!strncmp(line, "board ", 6)) {
			strcpy(board, line + 6);
		} else if (!strncmp(line, "legalmoves ", 11)) {
			strcpy(moves, line + 11);
			count = 0;
			for (char *m = strtok(moves, " "); m && count < MOVES; m = strtok(NULL, " ")) legal[count++] = m;
		} else if (!strncmp(line, "go", 2) && count > 0) {
			printf("bestmove %s\n", choose(board, legal, count));
		}
		fflush(stdout);
	}
	return 0;
}
