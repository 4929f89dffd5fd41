// SPDX-License-Identifier: Apache-2.0

#include "go_asm.h"
#include "textflag.h"

DATA one<>+0(SB)/4, $1.0
GLOBL one<>(SB), RODATA|NOPTR, $4

// A row is floats of 4 bytes: those for the side whose stone makes the pattern, then those for its enemy. A pass deals
// with 32 of each. Cells are 8 bytes: two patterns of 2, and a number of 4.
#define ROW (4*const_inputs)
#define ENEMY (2*const_inputs)

// CELLS reads the cells at R9 and leaves the addresses of their rows in AX and BX, and their number in Y13.
#define CELLS                  \
	MOVWLZX (R9), AX           \
	MOVWLZX 2(R9), BX          \
	VBROADCASTSS 4(R9), Y13    \
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
	ADDQ $8, R9
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
	ADDQ $8, R9
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
