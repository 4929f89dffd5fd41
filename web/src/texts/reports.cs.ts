// SPDX-License-Identifier: Apache-2.0
// What each study asks. The rest of the reports is in English. A number stands here as #.

/** Sentences by their English. */
export const reports: Record<string, string> = {
  'the thirty tables of the thesis, played again': 'třicet tabulek z disertace, přehraných znovu',
  'does learning help? the published pairings from many openings, both sides': 'pomáhá učení? publikované dvojice z mnoha zahájení, z obou stran',
  'do the learned parameters stand still after five episodes? a curve for each board': 'ustálí se naučené parametry po pěti epizodách? křivka pro každou desku',
  'the genetic run and the tables of the Ultimate Tic-Tac-Toe report': 'genetický běh a tabulky ze zprávy o Ultimate Tic-Tac-Toe',
  'the # boards of the m,n,k competition, two points for a win as first, three as second': '# desek ze soutěže m,n,k, dva body za výhru jako první, tři jako druhý',
  'every heuristic against every other, at depths #, # and #': 'každá heuristika proti každé jiné, v hloubkách #, # a #',
  'which heuristic leads on which game: # boards, depths #, # and #, a table each': 'která heuristika vede ve které hře: # desek, hloubky #, # a #, pro každou tabulka',
  'every learner on the same budget of games, and what its player is worth': 'každý způsob učení se stejným počtem partií a jakou cenu má jeho hráč',
  'what each technique of the gomoku engine is worth: the engine against itself without it': 'jakou cenu má každá technika enginu gomoku: engine proti sobě samému bez ní',
}
