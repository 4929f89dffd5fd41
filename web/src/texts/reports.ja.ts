// SPDX-License-Identifier: Apache-2.0
// What each study asks. The rest of the reports is in English. A number stands here as #.

/** Sentences by their English. */
export const reports: Record<string, string> = {
  'the thirty tables of the thesis, played again': '学位論文の三十の表を、もう一度対局',
  'does learning help? the published pairings from many openings, both sides': '学習は役に立つか：発表された組み合わせを多くの序盤から、双方の側で',
  'do the learned parameters stand still after five episodes? a curve for each board': '学習したパラメータは五局のあと動かなくなるか：盤ごとに一本の曲線',
  'the genetic run and the tables of the Ultimate Tic-Tac-Toe report': 'アルティメット三目並べの報告書の遺伝的な実行と表',
  'the # boards of the m,n,k competition, two points for a win as first, three as second': 'm,n,k 競技の # の盤、先手の勝ちは二点、後手の勝ちは三点',
  'every heuristic against every other, at depths #, # and #': 'すべてのヒューリスティックの総当たり、深さ #、#、#',
  'which heuristic leads on which game: # boards, depths #, # and #, a table each': 'どのゲームでどのヒューリスティックが強いか：# の盤、深さ #、#、#、それぞれに表',
  'every learner on the same budget of games, and what its player is worth': 'どの学習法も同じ数の対局で、そのプレイヤーの価値',
  'what each technique of the gomoku engine is worth: the engine against itself without it': '五目並べエンジンの各技術の価値：それを外した自分自身との対局',
}
