/** Pictures of the design package as elements: what a caller passes as a name stays a text. */
import type { Drawing } from '@countersign/design/drawing.ts'
import { type JointInput, jointDrawing } from '@countersign/design/joint.ts'
import { markDrawing } from '@countersign/design/mark.ts'
import { type SealInput, sealDrawing } from '@countersign/design/seal.ts'
import { createElement, type ReactElement } from 'react'

const named = (name: string): string => {
  if (name === 'class') return 'className'
  return /^(aria|data)-/.test(name) ? name : name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

function elementOf({ tag, attributes, children }: Drawing, key?: number): ReactElement {
  const properties = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [named(name), value]))
  const inside = children.map((child, at) => (typeof child === 'string' ? child : elementOf(child, at)))
  return createElement(tag, { ...properties, key }, ...(inside.length > 0 ? [inside] : []))
}

/** A tree of elements; texts stay texts. */
export const Tree = ({ nodes }: { readonly nodes: readonly (Drawing | string)[] }) =>
  nodes.map((node, at) => (typeof node === 'string' ? node : elementOf(node, at)))

/** The seal of one record. `passkey` only where the signature was verified; the word for the level stands beside it. */
export const Seal = (input: SealInput) => elementOf(sealDrawing(input))

/** 간인: one seal across the edge of two neighbors. Different hashes part it. */
export const Joint = (input: JointInput) => elementOf(jointDrawing(input))

export const Mark = ({ size = 24 }: { readonly size?: number }) =>
  elementOf(
    size < 40
      ? markDrawing({ label: '', size })
      : jointDrawing({ hashA: 'countersign', hashB: 'countersign', size, label: '' }),
  )
