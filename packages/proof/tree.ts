/**
 * The Merkle tree of RFC 6962 (and RFC 9162, 2.1) over the hashes of a chain: leaf `i` is the hash of the entry with the
 * index `i`. A few dozen hashes prove to a holder of the root that an entry is in the tree, and that a later tree only
 * appended to it. Sizes are exact up to 2^53, so they are halved and never shifted.
 */
import { sha256Bytes } from '#sha256'

const hashLength = 32
export const emptyRoot: Uint8Array = sha256Bytes(new Uint8Array())

/** Reused for every hash, to avoid an allocation for each node. Safe because everything here is synchronous. */
const leafInput = new Uint8Array(1 + hashLength)
const nodeInput = new Uint8Array(1 + 2 * hashLength)
nodeInput[0] = 1

/** Takes `sha256:` and 64 digits, or the digits alone. */
export function leafHash(chainHash: string): Uint8Array {
  const start = chainHash.length - 2 * hashLength
  if (start !== 0 && !(start === 7 && chainHash.startsWith('sha256:'))) throw notAHash()
  for (let at = 0; at < hashLength; at++) {
    const high = digit(chainHash.charCodeAt(start + 2 * at))
    const low = digit(chainHash.charCodeAt(start + 2 * at + 1))
    if (high < 0 || low < 0) throw notAHash()
    leafInput[1 + at] = high * 16 + low
  }
  return sha256Bytes(leafInput)
}

const notAHash = () => new RangeError('A leaf must be "sha256:" followed by 64 lowercase hex digits.')

function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  nodeInput.set(left, 1)
  nodeInput.set(right, 1 + hashLength)
  return sha256Bytes(nodeInput)
}

const half = (size: number): number => Math.floor(size / 2)
const isOdd = (size: number): boolean => size % 2 === 1

/** What an append needs: the roots of the complete subtrees, one for each binary digit 1 of `size`. */
export interface Frontier {
  readonly size: number
  /** Largest first, which is also left to right. */
  readonly hashes: readonly Uint8Array[]
}

export const emptyFrontier: Frontier = { size: 0, hashes: [] }

export const rootOf = ({ hashes }: Frontier): Uint8Array => (hashes.length === 0 ? emptyRoot : joined(hashes))

/** The root over adjacent subtrees, largest first; there is at least one. */
function joined(hashes: readonly Uint8Array[]): Uint8Array {
  let root = hashes.at(-1) as Uint8Array
  for (let at = hashes.length - 2; at >= 0; at--) root = nodeHash(hashes[at] as Uint8Array, root)
  return root
}

export function encodeFrontier({ hashes }: Frontier): Uint8Array {
  const bytes = new Uint8Array(hashes.length * hashLength)
  for (const [at, hash] of hashes.entries()) bytes.set(hash, at * hashLength)
  return bytes
}

export function decodeFrontier(size: number, bytes: Uint8Array): Frontier {
  const count = isSize(size) ? subtrees(size).length : -1
  if (bytes.length !== count * hashLength) {
    throw new RangeError(`${bytes.length} bytes can't be the frontier of a tree of ${size} leaves.`)
  }
  const hashes = Array.from({ length: count }, (_, at) => bytes.slice(at * hashLength, (at + 1) * hashLength))
  return { size, hashes }
}

/** A complete subtree: the leaves from `index * 2^height` up to the next node of that height. */
export interface TreeNode {
  readonly height: number
  readonly index: number
}

/** The complete subtrees below `height` at the right edge of the tree, largest first. */
function subtrees(size: number, height = Number.POSITIVE_INFINITY): TreeNode[] {
  const found: TreeNode[] = []
  for (let low = 0, count = size; count > 0 && low < height; low++, count = half(count)) {
    if (isOdd(count)) found.push({ height: low, index: count - 1 })
  }
  return found.reverse()
}

/** The parts of a proof: each of its hashes is the root over one list of adjacent subtrees. */
type Parts = readonly (readonly TreeNode[])[]

/** The siblings on the path from the node of `height` and `index` up to the root. */
function siblings(start: number, from: number, size: number): Parts {
  const parts: TreeNode[][] = []
  let complete = size
  for (let height = 0; height < start; height++) complete = half(complete)
  for (let height = start, index = from; complete > 0; height++, index = half(index), complete = half(complete)) {
    if (isOdd(index)) parts.push([{ height, index: index - 1 }])
    else if (index + 1 < complete) parts.push([{ height, index: index + 1 }])
    else if (index + 1 === complete) {
      const rest = subtrees(size, height)
      if (rest.length > 0) parts.push(rest)
    }
  }
  return parts
}

function inclusionParts(index: number, size: number): Parts {
  if (!isSize(size) || !isSize(index) || index >= size)
    throw new RangeError(`A tree of ${size} leaves has no leaf ${index}.`)
  return siblings(0, index, size)
}

function consistencyParts(oldSize: number, size: number): Parts {
  if (!isSize(size) || !isSize(oldSize) || oldSize > size)
    throw new RangeError(`A tree of ${size} leaves can't contain one of ${oldSize}.`)
  if (oldSize === 0 || oldSize === size) return []
  // The largest subtree that ends where the old tree ended. Omitted when it is the whole old tree, whose root is known.
  const last = subtrees(oldSize).at(-1) as TreeNode
  const path = siblings(last.height, last.index, size)
  return last.index === 0 ? path : [[last], ...path]
}

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

export type NodeAt = (height: number, index: number) => Uint8Array

export const inclusionProof = (index: number, size: number, nodeAt: NodeAt): readonly Uint8Array[] =>
  hashesOf(inclusionParts(index, size), nodeAt)

export const consistencyProof = (oldSize: number, size: number, nodeAt: NodeAt): readonly Uint8Array[] =>
  hashesOf(consistencyParts(oldSize, size), nodeAt)

const hashesOf = (parts: Parts, nodeAt: NodeAt): readonly Uint8Array[] =>
  parts.map((nodes) => joined(nodes.map(({ height, index }) => nodeAt(height, index))))

export type ProofOf =
  | { readonly index: number; readonly size: number }
  | { readonly oldSize: number; readonly size: number }

/** The nodes that the proof needs, so that the caller can fetch them in one query. */
export const neededNodes = (of: ProofOf): readonly TreeNode[] =>
  ('index' in of ? inclusionParts(of.index, of.size) : consistencyParts(of.oldSize, of.size)).flat()

export interface Growth {
  readonly frontier: Frontier
  readonly root: Uint8Array
  /** Proofs for the appended leaves in the new tree. */
  readonly inclusion: (index: number) => readonly Uint8Array[]
  /** Tiles of 256 that this growth filled: one of level 0 covers 256 leaves, of level 1 65,536, and so on. */
  readonly tiles: readonly { readonly level: number; readonly n: number; readonly root: Uint8Array }[]
}

/** The nodes of one height that this growth completed, after the old node that had no right sibling yet. */
interface Level {
  /** Always even. */
  readonly first: number
  readonly nodes: readonly Uint8Array[]
}

export function grow(frontier: Frontier, leaves: readonly Uint8Array[]): Growth {
  const size = frontier.size + leaves.length
  if (!isSize(size)) throw new RangeError('The tree is full.')
  const levels: Level[] = []
  const hashes: Uint8Array[] = []
  const tiles: { level: number; n: number; root: Uint8Array }[] = []
  let waiting = frontier.hashes.length
  let made = leaves
  for (let before = frontier.size, after = size; after > 0; before = half(before), after = half(after)) {
    const old = isOdd(before) ? (frontier.hashes[--waiting] as Uint8Array) : null
    const nodes = old === null ? made : [old, ...made]
    if (levels.length > 0 && levels.length % 8 === 0) {
      for (const [at, root] of made.entries()) tiles.push({ level: levels.length / 8 - 1, n: before + at, root })
    }
    levels.push({ first: old === null ? before : before - 1, nodes })
    if (isOdd(after)) hashes.push(nodes.at(-1) as Uint8Array)
    const above: Uint8Array[] = []
    for (let at = 0; at + 1 < nodes.length; at += 2)
      above.push(nodeHash(nodes[at] as Uint8Array, nodes[at + 1] as Uint8Array))
    made = above
  }
  const grown = { size, hashes: hashes.reverse() }
  const nodeAt: NodeAt = (height, index) => {
    const { first, nodes } = levels[height] as Level
    return nodes[index - first] as Uint8Array
  }
  const inclusion = (index: number): readonly Uint8Array[] => {
    if (index < frontier.size) throw new RangeError(`Leaf ${index} isn't one of the appended leaves.`)
    return inclusionProof(index, size, nodeAt)
  }
  return { frontier: grown, root: rootOf(grown), inclusion, tiles }
}

/** RFC 9162, 2.1.3.2. */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isSize(index) || !isSize(size) || index >= size || !areHashes(leaf, root, ...proof)) return false
  let hash = leaf
  let [node, last] = [index, size - 1]
  for (const sibling of proof) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash)
      for (; !isOdd(node) && node !== 0; node = half(node)) last = half(last)
    } else {
      hash = nodeHash(hash, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && isSame(hash, root)
}

/** RFC 9162, 2.1.4.2. Every tree is consistent with the empty tree and with itself. */
export function verifyConsistency(
  oldSize: number,
  oldRoot: Uint8Array,
  size: number,
  root: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (!isSize(oldSize) || !isSize(size) || oldSize > size || !areHashes(oldRoot, root, ...proof)) return false
  if (size === 0 && !isSame(root, emptyRoot)) return false
  if (oldSize === 0) return proof.length === 0 && isSame(oldRoot, emptyRoot)
  if (oldSize === size) return proof.length === 0 && isSame(oldRoot, root)
  let [node, last] = [oldSize - 1, size - 1]
  for (; isOdd(node); node = half(node)) last = half(last)
  const [start, ...rest] = node === 0 ? [oldRoot, ...proof] : proof
  if (start === undefined) return false
  let [oldHash, hash] = [start, start]
  for (const sibling of rest) {
    if (last === 0) return false
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(sibling, oldHash)
      hash = nodeHash(sibling, hash)
      for (; !isOdd(node) && node !== 0; node = half(node)) last = half(last)
    } else {
      hash = nodeHash(hash, sibling)
    }
    node = half(node)
    last = half(last)
  }
  return last === 0 && isSame(oldHash, oldRoot) && isSame(hash, root)
}

const areHashes = (...hashes: readonly Uint8Array[]): boolean => hashes.every(({ length }) => length === hashLength)

const isSame = (one: Uint8Array, other: Uint8Array): boolean => one.every((byte, at) => byte === other[at])
