/** Drawings of the design as elements: no text becomes markup. */
import { type Drawing, svgElement } from '@countersign/design/drawing.ts'
import { type SealInput, sealDrawing } from '@countersign/design/seal.ts'

export const picture = (drawing: Drawing): SVGElement => svgElement(drawing, document as never) as unknown as SVGElement
export const sealPicture = (input: SealInput): SVGElement => picture(sealDrawing(input))
