// SPDX-License-Identifier: Apache-2.0
// What each study asks. The rest of the reports is in English. A number stands here as #.

/** Sentences by their English. */
export const reports: Record<string, string> = {
  'the thirty tables of the thesis, played again': 'тридцать таблиц диссертации, сыгранных заново',
  'does learning help? the published pairings from many openings, both sides': 'помогает ли обучение? опубликованные пары из многих дебютов, за обе стороны',
  'do the learned parameters stand still after five episodes? a curve for each board': 'успокаиваются ли выученные параметры после пяти эпизодов? кривая для каждой доски',
  'the genetic run and the tables of the Ultimate Tic-Tac-Toe report': 'генетический отбор и таблицы отчёта об Ultimate Tic-Tac-Toe',
  'the # boards of the m,n,k competition, two points for a win as first, three as second': '# досок соревнования m,n,k, два очка за победу первым, три за победу вторым',
  'every heuristic against every other, at depths #, # and #': 'каждая эвристика против каждой другой, на глубинах #, # и #',
  'which heuristic leads on which game: # boards, depths #, # and #, a table each': 'какая эвристика лучше в какой игре: # досок, глубины #, # и #, по таблице на каждую',
  'every learner on the same budget of games, and what its player is worth': 'каждый способ обучения с одинаковым числом партий, и чего стоит его игрок',
  'what each technique of the gomoku engine is worth: the engine against itself without it': 'чего стоит каждый приём движка гомоку: движок против себя самого без него',
}
