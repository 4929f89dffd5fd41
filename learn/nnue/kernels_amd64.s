// SPDX-License-Identifier: Apache-2.0

#include "textflag.h"

// A row is 128 floats of 4 bytes: 512 bytes, in two parts of 8 registers.

// func sumRowsAVX2(dst, rows *Row, index *uint16, n int)
//
//	SI dst   R8 rows   R9 index   CX n   Y0..Y7 the part of dst
TEXT ·sumRowsAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), SI
	MOVQ rows+8(FP), R8
	MOVL $2, R12

part:
	MOVQ index+16(FP), R9
	MOVQ n+24(FP), CX
	VMOVUPS 0(SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	VMOVUPS 128(SI), Y4
	VMOVUPS 160(SI), Y5
	VMOVUPS 192(SI), Y6
	VMOVUPS 224(SI), Y7

add:
	MOVWLZX (R9), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	VADDPS  0(DX), Y0, Y0
	VADDPS  32(DX), Y1, Y1
	VADDPS  64(DX), Y2, Y2
	VADDPS  96(DX), Y3, Y3
	VADDPS  128(DX), Y4, Y4
	VADDPS  160(DX), Y5, Y5
	VADDPS  192(DX), Y6, Y6
	VADDPS  224(DX), Y7, Y7
	ADDQ    $2, R9
	DECQ    CX
	JNZ     add
	VMOVUPS Y0, 0(SI)
	VMOVUPS Y1, 32(SI)
	VMOVUPS Y2, 64(SI)
	VMOVUPS Y3, 96(SI)
	VMOVUPS Y4, 128(SI)
	VMOVUPS Y5, 160(SI)
	VMOVUPS Y6, 192(SI)
	VMOVUPS Y7, 224(SI)
	ADDQ    $256, SI
	ADDQ    $256, R8
	DECL    R12
	JNZ     part
	VZEROUPPER
	RET

// func addToRowsAVX2(rows, src *Row, index *uint16, n int)
//
//	SI src   R8 rows   R9 index   CX n   Y0..Y7 the part of src
TEXT ·addToRowsAVX2(SB), NOSPLIT, $0-32
	MOVQ rows+0(FP), R8
	MOVQ src+8(FP), SI
	MOVL $2, R12

part:
	MOVQ index+16(FP), R9
	MOVQ n+24(FP), CX
	VMOVUPS 0(SI), Y0
	VMOVUPS 32(SI), Y1
	VMOVUPS 64(SI), Y2
	VMOVUPS 96(SI), Y3
	VMOVUPS 128(SI), Y4
	VMOVUPS 160(SI), Y5
	VMOVUPS 192(SI), Y6
	VMOVUPS 224(SI), Y7

add:
	MOVWLZX (R9), DX
	SHLQ    $9, DX
	ADDQ    R8, DX
	VADDPS  0(DX), Y0, Y8
	VADDPS  32(DX), Y1, Y9
	VADDPS  64(DX), Y2, Y10
	VADDPS  96(DX), Y3, Y11
	VADDPS  128(DX), Y4, Y12
	VADDPS  160(DX), Y5, Y13
	VADDPS  192(DX), Y6, Y14
	VADDPS  224(DX), Y7, Y15
	VMOVUPS Y8, 0(DX)
	VMOVUPS Y9, 32(DX)
	VMOVUPS Y10, 64(DX)
	VMOVUPS Y11, 96(DX)
	VMOVUPS Y12, 128(DX)
	VMOVUPS Y13, 160(DX)
	VMOVUPS Y14, 192(DX)
	VMOVUPS Y15, 224(DX)
	ADDQ    $2, R9
	DECQ    CX
	JNZ     add
	ADDQ    $256, SI
	ADDQ    $256, R8
	DECL    R12
	JNZ     part
	VZEROUPPER
	RET

// func dotAVX2(x, y *Row) float32
//
//	SI x   DI y   Y0 the sum of eight lanes
TEXT ·dotAVX2(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	VXORPS Y0, Y0, Y0
	MOVL $16, CX

eight:
	VMOVUPS (SI), Y1
	VMULPS  (DI), Y1, Y1
	VADDPS  Y1, Y0, Y0
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECL    CX
	JNZ     eight
	VEXTRACTF128 $1, Y0, X1
	VADDPS    X1, X0, X0
	VPSHUFD   $0x4e, X0, X1
	VADDPS    X1, X0, X0
	VPSHUFD   $0xb1, X0, X1
	VADDPS    X1, X0, X0
	VMOVSS    X0, ret+16(FP)
	VZEROUPPER
	RET

// func addTimesAVX2(dst, src *Row, factor float32)
//
//	DI dst   SI src   Y2 factor
TEXT ·addTimesAVX2(SB), NOSPLIT, $0-20
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	VBROADCASTSS factor+16(FP), Y2
	MOVL $16, CX

eight:
	VMULPS  (SI), Y2, Y1
	VADDPS  (DI), Y1, Y1
	VMOVUPS Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECL    CX
	JNZ     eight
	VZEROUPPER
	RET

// func forward32AVX2(dst, x, w *float32, n int)
TEXT ·forward32AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ w+16(FP), R8
	MOVQ n+24(FP), CX
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
	DECQ CX
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

// func backward32AVX2(gradient, dx, x, w, d *float32, n int)
TEXT ·backward32AVX2(SB), NOSPLIT, $0-48
	MOVQ gradient+0(FP), DI
	MOVQ dx+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ w+24(FP), R8
	MOVQ d+32(FP), R9
	MOVQ n+40(FP), CX
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
	DECQ CX
	JNZ  backward
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

// func moveAVX2(c *constants, p, m, v, gradient *float32, n int)
//
//	Y8..Y14 the constants: share, beta1, 1-beta1, beta2, 1-beta2, rate, epsilon
TEXT ·moveAVX2(SB), NOSPLIT, $0-48
	MOVQ c+0(FP), AX
	MOVQ p+8(FP), DI
	MOVQ m+16(FP), SI
	MOVQ v+24(FP), DX
	MOVQ gradient+32(FP), BX
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

// FORWARD adds 8 weights at byte off times the input in Y8 to 8 numbers.
#define FORWARD(off, q)         \
	VMULPS off(R8), Y8, Y9  \
	VADDPS Y9, q, q

// LOAD moves 64 numbers at a pointer into Y0 to Y7.
#define LOAD(from)        \
	VMOVUPS 0(from), Y0    \
	VMOVUPS 32(from), Y1   \
	VMOVUPS 64(from), Y2   \
	VMOVUPS 96(from), Y3   \
	VMOVUPS 128(from), Y4  \
	VMOVUPS 160(from), Y5  \
	VMOVUPS 192(from), Y6  \
	VMOVUPS 224(from), Y7

// func forward64AVX2(dst, x, w *float32, n int)
TEXT ·forward64AVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ w+16(FP), R8
	MOVQ n+24(FP), CX
	LOAD(DI)

forward:
	VBROADCASTSS (SI), Y8
	FORWARD(0, Y0)
	FORWARD(32, Y1)
	FORWARD(64, Y2)
	FORWARD(96, Y3)
	FORWARD(128, Y4)
	FORWARD(160, Y5)
	FORWARD(192, Y6)
	FORWARD(224, Y7)
	ADDQ $4, SI
	ADDQ $256, R8
	DECQ CX
	JNZ  forward
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

// BACKWARD64 adds 8 numbers of the gradient at byte off, and to the sum in Y9.
#define BACKWARD64(off, d)        \
	VMULPS  d, Y8, Y10       \
	VADDPS  off(DI), Y10, Y10 \
	VMOVUPS Y10, off(DI)     \
	VMULPS  off(R8), d, Y11  \
	VADDPS  Y11, Y9, Y9

// func backward64AVX2(gradient, dx, x, w, d *float32, n int)
TEXT ·backward64AVX2(SB), NOSPLIT, $0-48
	MOVQ gradient+0(FP), DI
	MOVQ dx+8(FP), DX
	MOVQ x+16(FP), SI
	MOVQ w+24(FP), R8
	MOVQ d+32(FP), R9
	MOVQ n+40(FP), CX
	LOAD(R9)

backward:
	VBROADCASTSS (SI), Y8
	VXORPS Y9, Y9, Y9
	BACKWARD64(0, Y0)
	BACKWARD64(32, Y1)
	BACKWARD64(64, Y2)
	BACKWARD64(96, Y3)
	BACKWARD64(128, Y4)
	BACKWARD64(160, Y5)
	BACKWARD64(192, Y6)
	BACKWARD64(224, Y7)
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
	DECQ CX
	JNZ  backward
	VZEROUPPER
	RET
