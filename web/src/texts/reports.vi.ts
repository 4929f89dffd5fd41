// SPDX-License-Identifier: Apache-2.0
// What each study asks. The rest of the reports is in English. A number stands here as #.

/** Sentences by their English. */
export const reports: Record<string, string> = {
  'the thirty tables of the thesis, played again': 'ba mươi bảng của luận án, chơi lại',
  'does learning help? the published pairings from many openings, both sides': 'việc học có ích không? các cặp đấu đã công bố từ nhiều khai cuộc, cả hai bên',
  'do the learned parameters stand still after five episodes? a curve for each board': 'các tham số học được có đứng yên sau năm tập không? một đường cong cho mỗi bàn',
  'the genetic run and the tables of the Ultimate Tic-Tac-Toe report': 'lần chạy di truyền và các bảng của báo cáo Ultimate Tic-Tac-Toe',
  'the # boards of the m,n,k competition, two points for a win as first, three as second': '# bàn của cuộc thi m,n,k, hai điểm khi thắng với bên đi trước, ba điểm với bên đi sau',
  'every heuristic against every other, at depths #, # and #': 'mỗi heuristic gặp mọi heuristic khác, ở độ sâu #, # và #',
  'which heuristic leads on which game: # boards, depths #, # and #, a table each': 'heuristic nào dẫn đầu ở trò nào: # bàn, độ sâu #, # và #, mỗi bàn một bảng',
  'every learner on the same budget of games, and what its player is worth': 'mỗi cách học với cùng số ván, và người chơi của nó đáng giá bao nhiêu',
  'what each technique of the gomoku engine is worth: the engine against itself without it': 'mỗi kỹ thuật của engine gomoku đáng giá bao nhiêu: engine đấu với chính nó khi thiếu kỹ thuật đó',
}
