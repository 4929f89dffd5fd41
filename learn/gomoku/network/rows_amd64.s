// SPDX-License-Identifier: Apache-2.0

#include "go_asm.h"
#include "textflag.h"

DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $4

// A row is floats of 4 bytes: those for the side whose stone makes the pattern, then those for its enemy. A pass deals
// with 32 of each. Cells are 6 bytes: two patterns of 2, a number of 1 and a place of 1.
#define ROW (4*const_inputs)
#define ENEMY (2*const_inputs)

// PATTERNS reads the cells at R9 and leaves the addresses of their rows in AX and BX, and CELLS their number in Y13.
#define PATTERNS               \
	MOVWLZX (R9), AX           \
	MOVWLZX 2(R9), BX          \
	IMULQ $ROW, AX             \
	IMULQ $ROW, BX

#define CELLS                  \
	MOVWLZX (R9), AX           \
	MOVWLZX 2(R9), BX          \
	MOVBLZX 4(R9), R10         \
	VBROADCASTSS (R11)(R10*4), Y13 \
	IMULQ $ROW, AX             \
	IMULQ $ROW, BX

// SUM adds n cells of the side whose row is at own to y, 8 numbers at byte off. Y14 is zero and Y15 one.
#define SUM(off, own, enemy, y)             \
	VMOVUPS off(R8)(own*1), Y8              \
	VADDPS  (off+ENEMY)(R8)(enemy*1), Y8, Y8  \
	VMAXPS  Y14, Y8, Y8                     \
	VMINPS  Y15, Y8, Y8                     \
	VMULPS  Y13, Y8, Y8                     \
	VADDPS  Y8, y, y

// func sumCellsAVX2(x *row, rows *table, list *cells, n int)
TEXT ·sumCellsAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ rows+8(FP), R8
	MOVL $(const_inputs/64), DX
	VXORPS Y14, Y14, Y14
	VBROADCASTSS one<>(SB), Y15
	LEAQ ·counts(SB), R11

pass:
	MOVQ list+16(FP), R9
	MOVQ n+24(FP), CX
	VMOVUPS 0(DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	VMOVUPS (ENEMY+0)(DI), Y4
	VMOVUPS (ENEMY+32)(DI), Y5
	VMOVUPS (ENEMY+64)(DI), Y6
	VMOVUPS (ENEMY+96)(DI), Y7

sum:
	CELLS
	SUM(0, AX, BX, Y0)
	SUM(32, AX, BX, Y1)
	SUM(64, AX, BX, Y2)
	SUM(96, AX, BX, Y3)
	SUM(0, BX, AX, Y4)
	SUM(32, BX, AX, Y5)
	SUM(64, BX, AX, Y6)
	SUM(96, BX, AX, Y7)
	ADDQ $6, R9
	DECQ CX
	JNZ  sum
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, (ENEMY+0)(DI)
	VMOVUPS Y5, (ENEMY+32)(DI)
	VMOVUPS Y6, (ENEMY+64)(DI)
	VMOVUPS Y7, (ENEMY+96)(DI)
	ADDQ $128, DI
	ADDQ $128, R8
	DECL DX
	JNZ  pass
	VZEROUPPER
	RET

// SPREAD adds the gradient d of 8 numbers at byte off to two rows of the gradient, where the numbers were not clipped.
#define SPREAD(off, own, enemy, d)              \
	VMOVUPS off(R8)(own*1), Y8                  \
	VADDPS  (off+ENEMY)(R8)(enemy*1), Y8, Y8      \
	VCMPPS  $0x1e, Y14, Y8, Y9                  \
	VCMPPS  $0x11, Y15, Y8, Y10                 \
	VMULPS  Y13, d, Y11                         \
	VANDPS  Y9, Y11, Y11                        \
	VANDPS  Y10, Y11, Y11                       \
	VADDPS  off(DI)(own*1), Y11, Y8             \
	VMOVUPS Y8, off(DI)(own*1)                  \
	VADDPS  (off+ENEMY)(DI)(enemy*1), Y11, Y8     \
	VMOVUPS Y8, (off+ENEMY)(DI)(enemy*1)

// func spreadAVX2(gradient *table, dx *row, rows *table, list *cells, n int)
TEXT ·spreadAVX2(SB), NOSPLIT, $0-40
	MOVQ gradient+0(FP), DI
	MOVQ dx+8(FP), SI
	MOVQ rows+16(FP), R8
	MOVL $(const_inputs/64), DX
	VXORPS Y14, Y14, Y14
	VBROADCASTSS one<>(SB), Y15
	LEAQ ·counts(SB), R11

pass:
	MOVQ list+24(FP), R9
	MOVQ n+32(FP), CX
	VMOVUPS 0(SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	VMOVUPS (ENEMY+0)(SI), Y4
	VMOVUPS (ENEMY+32)(SI), Y5
	VMOVUPS (ENEMY+64)(SI), Y6
	VMOVUPS (ENEMY+96)(SI), Y7

spread:
	CELLS
	SPREAD(0, AX, BX, Y0)
	SPREAD(32, AX, BX, Y1)
	SPREAD(64, AX, BX, Y2)
	SPREAD(96, AX, BX, Y3)
	SPREAD(0, BX, AX, Y4)
	SPREAD(32, BX, AX, Y5)
	SPREAD(64, BX, AX, Y6)
	SPREAD(96, BX, AX, Y7)
	ADDQ $6, R9
	DECQ CX
	JNZ  spread
	ADDQ $128, DI
	ADDQ $128, SI
	ADDQ $128, R8
	DECL DX
	JNZ  pass
	VZEROUPPER
	RET

// JUDGE adds 8 numbers of a cell, at byte off, times those of the query at DX to Y0.
#define JUDGE(off)                            \
	VMOVUPS off(R8)(AX*1), Y8                 \
	VADDPS  (off+ENEMY)(R8)(BX*1), Y8, Y8     \
	VMAXPS  Y14, Y8, Y8                       \
	VMINPS  Y15, Y8, Y8                       \
	VMULPS  off(DX), Y8, Y8                   \
	VADDPS  Y8, Y0, Y0

// func judgeAVX2(dst *float32, q *query, rows *table, list *cells, n int)
TEXT ·judgeAVX2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ q+8(FP), DX
	MOVQ rows+16(FP), R8
	MOVQ list+24(FP), R9
	MOVQ n+32(FP), CX
	VXORPS Y14, Y14, Y14
	VBROADCASTSS one<>(SB), Y15

judge:
	PATTERNS
	VXORPS Y0, Y0, Y0
	JUDGE(0)
	JUDGE(32)
	JUDGE(64)
	JUDGE(96)
	JUDGE(128)
	JUDGE(160)
	JUDGE(192)
	JUDGE(224)
	VEXTRACTF128 $1, Y0, X1
	VADDPS  X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VADDPS  X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VADDPS  X1, X0, X0
	VMOVSS  X0, (DI)
	ADDQ $4, DI
	ADDQ $6, R9
	DECQ CX
	JNZ  judge
	VZEROUPPER
	RET

// BLAME adds 8 numbers of a cell, at byte off, times its gradient to dq, and its gradient times those of the query to two
// rows of the gradient, where the numbers were not clipped.
#define BLAME(off, q, dq)                         \
	VMOVUPS off(R8)(AX*1), Y8                     \
	VADDPS  (off+ENEMY)(R8)(BX*1), Y8, Y8         \
	VCMPPS  $0x1e, Y14, Y8, Y9                    \
	VCMPPS  $0x11, Y15, Y8, Y10                   \
	VMAXPS  Y14, Y8, Y8                           \
	VMINPS  Y15, Y8, Y8                           \
	VMULPS  Y13, Y8, Y8                           \
	VADDPS  Y8, dq, dq                            \
	VMULPS  Y13, q, Y11                           \
	VANDPS  Y9, Y11, Y11                          \
	VANDPS  Y10, Y11, Y11                         \
	VADDPS  off(DI)(AX*1), Y11, Y8                \
	VMOVUPS Y8, off(DI)(AX*1)                     \
	VADDPS  (off+ENEMY)(DI)(BX*1), Y11, Y8        \
	VMOVUPS Y8, (off+ENEMY)(DI)(BX*1)

// func blameAVX2(gradient *table, dq, q *query, rows *table, list *cells, d *float32, n int)
TEXT ·blameAVX2(SB), NOSPLIT, $0-56
	MOVQ gradient+0(FP), DI
	MOVQ dq+8(FP), SI
	MOVQ q+16(FP), R11
	MOVQ rows+24(FP), R8
	MOVL $2, DX
	VXORPS Y14, Y14, Y14
	VBROADCASTSS one<>(SB), Y15

pass:
	MOVQ list+32(FP), R9
	MOVQ d+40(FP), R10
	MOVQ n+48(FP), CX
	VMOVUPS 0(SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	VMOVUPS 0(R11), Y4
	VMOVUPS 32(R11), Y5
	VMOVUPS 64(R11), Y6
	VMOVUPS 96(R11), Y7

blame:
	PATTERNS
	VBROADCASTSS (R10), Y13
	BLAME(0, Y4, Y0)
	BLAME(32, Y5, Y1)
	BLAME(64, Y6, Y2)
	BLAME(96, Y7, Y3)
	ADDQ $6, R9
	ADDQ $4, R10
	DECQ CX
	JNZ  blame
	VMOVUPS Y0, 0(SI)
	VMOVUPS Y1, 32(SI)
	VMOVUPS Y2, 64(SI)
	VMOVUPS Y3, 96(SI)
	ADDQ $128, DI
	ADDQ $128, SI
	ADDQ $128, R8
	ADDQ $128, R11
	DECL DX
	JNZ  pass
	VZEROUPPER
	RET
