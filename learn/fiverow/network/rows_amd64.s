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

// func forwardAVX2(h *hidden, x *row, w *layer)
TEXT ·forwardAVX2(SB), NOSPLIT, $0-24
	MOVQ h+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ w+16(FP), R8
	MOVL $const_inputs, CX
	VMOVUPS 0(DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3

forward:
	VBROADCASTSS (SI), Y4
	VMULPS 0(R8), Y4, Y5
	VMULPS 32(R8), Y4, Y6
	VMULPS 64(R8), Y4, Y7
	VMULPS 96(R8), Y4, Y8
	VADDPS Y5, Y0, Y0
	VADDPS Y6, Y1, Y1
	VADDPS Y7, Y2, Y2
	VADDPS Y8, Y3, Y3
	ADDQ $4, SI
	ADDQ $128, R8
	DECL CX
	JNZ  forward
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VZEROUPPER
	RET

// BACKWARD adds 8 numbers of the gradient at byte off, and to the sum in Y9.
#define BACKWARD(off, d)          \
	VMULPS  d, Y4, Y5             \
	VADDPS  off(DI), Y5, Y5       \
	VMOVUPS Y5, off(DI)           \
	VMULPS  off(R8), d, Y6        \
	VADDPS  Y6, Y9, Y9

// func backwardAVX2(gradient *layer, dx, x *row, w *layer, dh *hidden)
TEXT ·backwardAVX2(SB), NOSPLIT, $0-40
	MOVQ gradient+0(FP), DI
	MOVQ dx+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ w+24(FP), R8
	MOVQ dh+32(FP), R9
	MOVL $const_inputs, CX
	VMOVUPS 0(R9), Y0
	VMOVUPS 32(R9), Y1
	VMOVUPS 64(R9), Y2
	VMOVUPS 96(R9), Y3

backward:
	VBROADCASTSS (SI), Y4
	VXORPS Y9, Y9, Y9
	BACKWARD(0, Y0)
	BACKWARD(32, Y1)
	BACKWARD(64, Y2)
	BACKWARD(96, Y3)
	VEXTRACTF128 $1, Y9, X10
	VADDPS  X10, X9, X9
	VPSHUFD $0x4e, X9, X10
	VADDPS  X10, X9, X9
	VPSHUFD $0xb1, X9, X10
	VADDPS  X10, X9, X9
	VMOVSS  X9, (DX)
	ADDQ $4, SI
	ADDQ $4, DX
	ADDQ $128, DI
	ADDQ $128, R8
	DECL CX
	JNZ  backward
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

// func addAVX2(dst, src *float32, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SUBQ $8, CX
	JLT  rest

add:
	VMOVUPS (SI), Y0
	VADDPS  (DI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JGE  add

rest:
	ADDQ $8, CX
	JZ   done

one:
	VMOVSS (SI), X0
	VADDSS (DI), X0, X0
	VMOVSS X0, (DI)
	ADDQ $4, SI
	ADDQ $4, DI
	DECQ CX
	JNZ  one

done:
	VZEROUPPER
	RET

// func moveAVX2(c *adam.Constants, p, m, v, d *float32, n int)
//
//	Y8..Y14 the constants: share, beta1, 1-beta1, beta2, 1-beta2, rate, epsilon
TEXT ·moveAVX2(SB), NOSPLIT, $0-48
	MOVQ c+0(FP), AX
	MOVQ p+8(FP), DI
	MOVQ m+16(FP), SI
	MOVQ v+24(FP), DX
	MOVQ d+32(FP), BX
	MOVQ n+40(FP), CX
	VBROADCASTSS (AX), Y8
	VBROADCASTSS 4(AX), Y9
	VBROADCASTSS 8(AX), Y10
	VBROADCASTSS 12(AX), Y11
	VBROADCASTSS 16(AX), Y12
	VBROADCASTSS 20(AX), Y13
	VBROADCASTSS 24(AX), Y14

move:
	VMULPS  (BX), Y8, Y0
	VMULPS  (SI), Y9, Y1
	VMULPS  Y0, Y10, Y2
	VADDPS  Y2, Y1, Y1
	VMOVUPS Y1, (SI)
	VMULPS  (DX), Y11, Y2
	VMULPS  Y0, Y12, Y3
	VMULPS  Y0, Y3, Y3
	VADDPS  Y3, Y2, Y2
	VMOVUPS Y2, (DX)
	VSQRTPS Y2, Y2
	VADDPS  Y14, Y2, Y2
	VMULPS  Y1, Y13, Y1
	VDIVPS  Y2, Y1, Y1
	VMOVUPS (DI), Y0
	VSUBPS  Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, DX
	ADDQ $32, BX
	SUBQ $8, CX
	JGT  move
	VZEROUPPER
	RET

// ASK adds 8 weights at byte off times the hidden number in Y8 to 8 numbers of the query.
#define ASK(off, q)         \
	VMULPS off(R8), Y8, Y9  \
	VADDPS Y9, q, q

// QUERY moves the 64 numbers of a query at a pointer into Y0 to Y7.
#define QUERY(from)        \
	VMOVUPS 0(from), Y0    \
	VMOVUPS 32(from), Y1   \
	VMOVUPS 64(from), Y2   \
	VMOVUPS 96(from), Y3   \
	VMOVUPS 128(from), Y4  \
	VMOVUPS 160(from), Y5  \
	VMOVUPS 192(from), Y6  \
	VMOVUPS 224(from), Y7

// func askAVX2(q *query, h *hidden, w *asking)
TEXT ·askAVX2(SB), NOSPLIT, $0-24
	MOVQ q+0(FP), DI
	MOVQ h+8(FP), SI
	MOVQ w+16(FP), R8
	MOVL $const_numHidden, CX
	QUERY(DI)

ask:
	VBROADCASTSS (SI), Y8
	ASK(0, Y0)
	ASK(32, Y1)
	ASK(64, Y2)
	ASK(96, Y3)
	ASK(128, Y4)
	ASK(160, Y5)
	ASK(192, Y6)
	ASK(224, Y7)
	ADDQ $4, SI
	ADDQ $256, R8
	DECL CX
	JNZ  ask
	VMOVUPS Y0, 0(DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	VZEROUPPER
	RET

// UNASK adds 8 numbers of the gradient at byte off, and to the sum in Y9.
#define UNASK(off, d)        \
	VMULPS  d, Y8, Y10       \
	VADDPS  off(DI), Y10, Y10 \
	VMOVUPS Y10, off(DI)     \
	VMULPS  off(R8), d, Y11  \
	VADDPS  Y11, Y9, Y9

// func unaskAVX2(gradient *asking, dh, h *hidden, w *asking, dq *query)
TEXT ·unaskAVX2(SB), NOSPLIT, $0-40
	MOVQ gradient+0(FP), DI
	MOVQ dh+8(FP), DX
	MOVQ h+16(FP), SI
	MOVQ w+24(FP), R8
	MOVQ dq+32(FP), R9
	MOVL $const_numHidden, CX
	QUERY(R9)

unask:
	VBROADCASTSS (SI), Y8
	VXORPS Y9, Y9, Y9
	UNASK(0, Y0)
	UNASK(32, Y1)
	UNASK(64, Y2)
	UNASK(96, Y3)
	UNASK(128, Y4)
	UNASK(160, Y5)
	UNASK(192, Y6)
	UNASK(224, Y7)
	VEXTRACTF128 $1, Y9, X10
	VADDPS  X10, X9, X9
	VPSHUFD $0x4e, X9, X10
	VADDPS  X10, X9, X9
	VPSHUFD $0xb1, X9, X10
	VADDPS  X10, X9, X9
	VMOVSS  X9, (DX)
	ADDQ $4, SI
	ADDQ $4, DX
	ADDQ $256, DI
	ADDQ $256, R8
	DECL CX
	JNZ  unask
	VZEROUPPER
	RET
