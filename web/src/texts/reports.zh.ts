// SPDX-License-Identifier: Apache-2.0
// What each study asks. The rest of the reports is in English. A number stands here as #.

/** Sentences by their English. */
export const reports: Record<string, string> = {
  'the thirty tables of the thesis, played again': '论文中的三十张表，重新对局',
  'does learning help? the published pairings from many openings, both sides': '学习有用吗？发表的配对，从许多开局出发，双方各下一次',
  'do the learned parameters stand still after five episodes? a curve for each board': '五局之后学到的参数是否稳定？每种棋盘一条曲线',
  'the genetic run and the tables of the Ultimate Tic-Tac-Toe report': '终极井字棋报告中的遗传算法与表格',
  'the # boards of the m,n,k competition, two points for a win as first, three as second': 'm,n,k 比赛的 # 种棋盘，先手胜得两分，后手胜得三分',
  'every heuristic against every other, at depths #, # and #': '每个启发式对其他每一个，深度 #、# 和 #',
  'which heuristic leads on which game: # boards, depths #, # and #, a table each': '哪个启发式在哪种棋中领先：# 种棋盘，深度 #、# 和 #，各一张表',
  'every learner on the same budget of games, and what its player is worth': '每种学习方法用同样多的对局，以及它的棋手值多少',
  'what each technique of the gomoku engine is worth: the engine against itself without it': '五子棋引擎的每项技术值多少：引擎与去掉它的自己对局',
}
