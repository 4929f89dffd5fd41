// SPDX-License-Identifier: Apache-2.0

#include "textflag.h"

// A row is 128 floats of 4 bytes: 512 bytes, in two parts of 8 registers.

// func sumRowsAVX2(dst *row, rows *layer, index *uint16, n int)
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

// func addToRowsAVX2(rows *layer, src *row, index *uint16, n int)
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

// func dotAVX2(x, y *row) float32
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

// func addTimesAVX2(dst, src *row, factor float32)
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
