import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  consistencyProof,
  decodeFrontier,
  emptyFrontier,
  emptyRoot,
  encodeFrontier,
  type Frontier,
  grow,
  inclusionProof,
  leafHash,
  type NodeAt,
  neededNodes,
  nodeHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from '../tree.ts'

const sha256 = (...parts: Uint8Array[]) => new Uint8Array(createHash('sha256').update(Buffer.concat(parts)).digest())
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

/** The definitions of RFC 9162, 2.1.1, 2.1.3.1 and 2.1.4.1, literally, over leaf hashes. Shares no code with tree.ts. */
function definitions(leaves: readonly Uint8Array[]) {
  const split = (count: number): number => {
    let k = 1
    while (k * 2 < count) k *= 2
    return k
  }
  const known = new Map<string, Uint8Array>()
  const mth = (from: number, to: number): Uint8Array => {
    if (to === from) return sha256()
    if (to - from === 1) return leaves[from] as Uint8Array
    const name = `${from} ${to}`
    const k = from + split(to - from)
    const root = known.get(name) ?? sha256(Uint8Array.of(1), mth(from, k), mth(k, to))
    known.set(name, root)
    return root
  }
  const path = (m: number, from: number, to: number): Uint8Array[] => {
    if (to - from === 1) return []
    const k = split(to - from)
    return m < k ? [...path(m, from, from + k), mth(from + k, to)] : [...path(m - k, from + k, to), mth(from, from + k)]
  }
  const subproof = (m: number, from: number, to: number, whole: boolean): Uint8Array[] => {
    if (m === to - from) return whole ? [] : [mth(from, to)]
    const k = split(to - from)
    return m <= k
      ? [...subproof(m, from, from + k, whole), mth(from + k, to)]
      : [...subproof(m - k, from + k, to, false), mth(from, from + k)]
  }
  return { mth, path, subproof }
}

/** The cost grows with the square. */
const most = process.env.TEST_LONG ? 200 : 120
const leaves = Array.from({ length: most }, (_, at) => sha256(Uint8Array.of(0), Buffer.from(`leaf ${at}`)))
const { mth, path, subproof } = definitions(leaves)
const nodeAt: NodeAt = (height, index) => mth(index * 2 ** height, (index + 1) * 2 ** height)

/** The leaves, roots and proofs that Certificate Transparency has published with its code since 2012. */
const published = {
  leaves: ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'],
  roots: [
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ],
  inclusion: [
    { index: 0, size: 1, proof: [] },
    {
      index: 0,
      size: 8,
      proof: [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    },
    {
      index: 5,
      size: 8,
      proof: [
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    },
    { index: 2, size: 3, proof: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'] },
    {
      index: 1,
      size: 5,
      proof: [
        '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    },
  ],
  consistency: [
    { oldSize: 1, size: 1, proof: [] },
    {
      oldSize: 1,
      size: 8,
      proof: [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    },
    {
      oldSize: 6,
      size: 8,
      proof: [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    },
    {
      oldSize: 2,
      size: 5,
      proof: [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    },
  ],
}

describe('published trees', () => {
  const all = published.leaves.map((data) => sha256(Uint8Array.of(0), bytes(data)))
  const tree = (size: number) => grow(emptyFrontier, all.slice(0, size))
  const inPublished: NodeAt = (height, index) =>
    rootOf(grow(emptyFrontier, all.slice(index * 2 ** height, (index + 1) * 2 ** height)).frontier)

  it.each(published.roots.entries().toArray())('of %s leaves plus one have the root %s', (before, root) => {
    expect(hex(tree(before + 1).root)).toBe(root)
  })

  it.each(published.inclusion)('include leaf $index of $size', ({ index, size, proof }) => {
    expect(inclusionProof(index, size, inPublished).map(hex)).toEqual(proof)
    expect(tree(size).inclusion(index).map(hex)).toEqual(proof)
    expect(verifyInclusion(all[index] as Uint8Array, index, size, proof.map(bytes), tree(size).root)).toBe(true)
  })

  it.each(published.consistency)('are consistent from $oldSize to $size', ({ oldSize, size, proof }) => {
    expect(consistencyProof(oldSize, size, inPublished).map(hex)).toEqual(proof)
    expect(verifyConsistency(oldSize, tree(oldSize).root, size, tree(size).root, proof.map(bytes))).toBe(true)
  })

  it('the empty tree has the hash of no bytes as its root', () => {
    expect(hex(emptyRoot)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(rootOf(emptyFrontier)).toEqual(emptyRoot)
  })
})

/** Every proof with one error. */
function* spoiled(proof: readonly Uint8Array[], other: Uint8Array, which: number): Generator<readonly Uint8Array[]> {
  yield [...proof, other]
  yield [other, ...proof]
  if (proof.length === 0) return
  const at = which % proof.length
  const hash = proof[at] as Uint8Array
  yield proof.with(at, hash.with(which % 32, (hash[which % 32] as number) ^ (1 << (which % 8))))
  yield proof.toSpliced(at, 1)
  yield proof.with(at, hash.subarray(1))
  if (proof.length > 1) yield [proof[1] as Uint8Array, proof[0] as Uint8Array, ...proof.slice(2)]
}

/** Altered proofs are tried on every small tree and on one in seven of the others: they cost ten times the genuine ones. */
const isTried = (size: number, index: number) => size <= 40 || (size + index) % 7 === 0

describe(`all trees of up to ${most} leaves`, { timeout: 240_000 }, () => {
  it('have the proofs of inclusion that the definition gives, and accept no others', () => {
    const [holds, fails] = [{ count: 0 }, { count: 0 }]
    for (let size = 1; size <= most; size++) {
      const root = mth(0, size)
      for (let index = 0; index < size; index++) {
        const leaf = leaves[index] as Uint8Array
        const proof = inclusionProof(index, size, nodeAt)
        if (proof.map(hex).join() !== path(index, 0, size).map(hex).join()) expect.fail(`${index} of ${size}`)
        if (!verifyInclusion(leaf, index, size, proof, root)) expect.fail(`${index} of ${size}`)
        holds.count++
        if (!isTried(size, index)) continue
        const other = leaves[(index + 7) % most] as Uint8Array
        const wrong = [
          ...spoiled(proof, other, index + size).map((bad) => [leaf, index, size, bad, root] as const),
          [other, index, size, proof, root] as const,
          [leaf, index, size, proof, mth(0, size - 1)] as const,
          [leaf, size, size, proof, root] as const,
          ...(size > 1 ? [[leaf, (index + 1) % size, size, proof, root] as const] : []),
        ]
        for (const each of wrong) if (verifyInclusion(...each)) expect.fail(`accepts ${index} of ${size} altered`)
        fails.count += wrong.length
      }
    }
    expect(holds.count).toBe((most * (most + 1)) / 2)
    expect(fails.count).toBeGreaterThan(0.75 * most ** 2)
  })

  it('have the proofs of consistency that the definition gives, and accept no others', () => {
    const [holds, fails] = [{ count: 0 }, { count: 0 }]
    for (let size = 1; size <= most; size++) {
      const root = mth(0, size)
      for (let oldSize = 1; oldSize <= size; oldSize++) {
        const oldRoot = mth(0, oldSize)
        const proof = consistencyProof(oldSize, size, nodeAt)
        if (proof.map(hex).join() !== subproof(oldSize, 0, size, true).map(hex).join())
          expect.fail(`${oldSize} ${size}`)
        if (!verifyConsistency(oldSize, oldRoot, size, root, proof)) expect.fail(`${oldSize} ${size}`)
        holds.count++
        if (!isTried(size, oldSize)) continue
        const other = leaves[(oldSize + 7) % most] as Uint8Array
        const wrong = [
          ...spoiled(proof, other, oldSize + size).map((bad) => [oldSize, oldRoot, size, root, bad] as const),
          [oldSize, other, size, root, proof] as const,
          [oldSize, oldRoot, size, other, proof] as const,
          [oldSize, mth(0, oldSize - 1), size, root, proof] as const,
          [oldSize - 1, oldRoot, size, root, proof] as const,
          [size + 1, oldRoot, size, root, proof] as const,
        ]
        for (const each of wrong) if (verifyConsistency(...each)) expect.fail(`accepts ${oldSize} to ${size} altered`)
        fails.count += wrong.length
      }
    }
    expect(holds.count).toBe((most * (most + 1)) / 2)
    expect(fails.count).toBeGreaterThan(0.75 * most ** 2)
  })

  it('grow from any size to any other with the same root, frontier and proofs', () => {
    const frontiers: Frontier[] = [emptyFrontier]
    for (let size = 1; size <= most; size++) frontiers.push(grow(emptyFrontier, leaves.slice(0, size)).frontier)
    for (let before = 0; before <= most; before++) {
      // Every small size and then every seventh, which covers every pattern of carries.
      for (let size = before; size <= most; size += size < 40 ? 1 : 7) {
        const growth = grow(frontiers[before] as Frontier, leaves.slice(before, size))
        if (hex(growth.root) !== hex(mth(0, size))) expect.fail(`${before} to ${size}`)
        if (hex(encodeFrontier(growth.frontier)) !== hex(encodeFrontier(frontiers[size] as Frontier)))
          expect.fail(`${size}`)
        for (const index of new Set([before, size - 1, before + ((size * 31) % (size - before || 1))])) {
          if (index < before || index >= size) continue
          if (growth.inclusion(index).map(hex).join() !== path(index, 0, size).map(hex).join()) {
            expect.fail(`${index} from ${before} to ${size}`)
          }
        }
      }
    }
  })
})

describe('a tree of any size', () => {
  /** All leaves are equal, so that a tree of 2^53 needs 54 hashes. */
  const same: Uint8Array[] = [leafHash('a'.repeat(64))]
  for (let height = 1; height <= 53; height++)
    same.push(nodeHash(same[height - 1] as Uint8Array, same.at(-1) as Uint8Array))
  const alike: NodeAt = (height) => same[height] as Uint8Array
  const frontier = (size: number): Frontier => {
    const hashes: Uint8Array[] = []
    for (let height = 53; height >= 0; height--) {
      if ((BigInt(size) >> BigInt(height)) & 1n) hashes.push(alike(height, 0))
    }
    return { size, hashes }
  }
  const size = fc.oneof(
    fc.maxSafeNat().filter((it) => it > 0),
    fc.constantFrom(2 ** 31, 2 ** 32 + 1, 2 ** 47 + 1, 2 ** 52, 2 ** 52 + 1, 2 ** 53 - 1),
    fc.integer({ min: 1, max: 5000 }),
  )

  it('is exact up to 2^53', () => {
    fc.assert(
      fc.property(size, fc.maxSafeNat(), fc.integer({ min: 1, max: 20 }), (size, any, count) => {
        const [index, root] = [any % size, rootOf(frontier(size))]
        const leaf = same[0] as Uint8Array
        const proof = inclusionProof(index, size, alike)
        expect(verifyInclusion(leaf, index, size, proof, root)).toBe(true)
        if (size > 1) expect(verifyInclusion(leaf, index, size, proof.slice(1), root)).toBe(false)
        const oldSize = Math.max(1, any % size)
        const consistency = consistencyProof(oldSize, size, alike)
        expect(verifyConsistency(oldSize, rootOf(frontier(oldSize)), size, root, consistency)).toBe(true)
        for (const node of [...neededNodes({ index, size }), ...neededNodes({ oldSize, size })]) {
          expect((BigInt(node.index) + 1n) << BigInt(node.height)).toBeLessThanOrEqual(BigInt(size))
        }
        if (size + count > Number.MAX_SAFE_INTEGER) return
        const grown = grow(frontier(size), Array(count).fill(leaf))
        expect(grown.root).toEqual(rootOf(frontier(size + count)))
        expect(verifyInclusion(leaf, size, size + count, grown.inclusion(size), grown.root)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('reads exactly the nodes that it announced', () => {
    fc.assert(
      fc.property(size, fc.maxSafeNat(), (size, any) => {
        const asked: object[] = []
        const note: NodeAt = (height, index) => {
          asked.push({ height, index })
          return alike(height, index)
        }
        inclusionProof(any % size, size, note)
        expect(asked).toEqual(neededNodes({ index: any % size, size }))
        asked.length = 0
        consistencyProof(any % size, size, note)
        expect(asked).toEqual(neededNodes({ oldSize: any % size, size }))
      }),
    )
  })

  it('serializes its frontier, and refuses bytes of the wrong length', () => {
    fc.assert(
      fc.property(size, (size) => {
        const encoded = encodeFrontier(frontier(size))
        expect(decodeFrontier(size, encoded)).toEqual(frontier(size))
        expect(() => decodeFrontier(size, encoded.subarray(1))).toThrow(RangeError)
        expect(() => decodeFrontier(size, new Uint8Array(encoded.length + 32))).toThrow(RangeError)
      }),
    )
    expect(decodeFrontier(0, new Uint8Array())).toEqual(emptyFrontier)
    for (const wrong of [-1, 0.5, 2 ** 53, Number.NaN]) expect(() => decodeFrontier(wrong, new Uint8Array())).toThrow()
  })

  it('reports each tile of 256 once, when it is full', () => {
    const total = 256 * 256 + 700
    const all = Array.from({ length: total }, (_, at) => sha256(Buffer.from(`${at}`)))
    const { mth } = definitions(all)
    const tiles: string[] = []
    let frontier = emptyFrontier
    for (let at = 0, step = 1; at < total; at += step, step = (step * 7) % 1021 || 5) {
      const growth = grow(frontier, all.slice(at, at + step))
      frontier = growth.frontier
      tiles.push(...growth.tiles.map(({ level, n, root }) => `${level} ${n} ${hex(root)}`))
    }
    const expected = [`1 0 ${hex(mth(0, 256 * 256))}`]
    for (let n = 0; n < 258; n++) expected.push(`0 ${n} ${hex(mth(256 * n, 256 * (n + 1)))}`)
    expect(tiles.toSorted()).toEqual(expected.toSorted())
  })
})

describe('refuses', () => {
  it.each(['', 'sha256:', 'a'.repeat(63), 'A'.repeat(64), `sha512:${'a'.repeat(64)}`, `sha256:${'g'.repeat(64)}`])(
    'the leaf %j',
    (hash) => {
      expect(() => leafHash(hash)).toThrow(RangeError)
    },
  )

  it('proofs for leaves and sizes outside the tree', () => {
    expect(() => inclusionProof(5, 5, nodeAt)).toThrow(RangeError)
    expect(() => inclusionProof(-1, 5, nodeAt)).toThrow(RangeError)
    expect(() => consistencyProof(6, 5, nodeAt)).toThrow(RangeError)
    expect(() => grow(grow(emptyFrontier, leaves.slice(0, 3)).frontier, leaves.slice(3, 5)).inclusion(2)).toThrow(
      RangeError,
    )
    expect(verifyInclusion(leaves[0] as Uint8Array, 0.5, 5, [], emptyRoot)).toBe(false)
    expect(verifyInclusion(leaves[0] as Uint8Array, 0, 2 ** 53, [], emptyRoot)).toBe(false)
  })

  it('wrong roots in proofs of consistency for the empty tree and for equal sizes', () => {
    const root = mth(0, 5)
    expect(verifyConsistency(0, emptyRoot, 5, root, [])).toBe(true)
    expect(verifyConsistency(0, root, 5, root, [])).toBe(false)
    expect(verifyConsistency(0, emptyRoot, 0, emptyRoot, [])).toBe(true)
    expect(verifyConsistency(0, emptyRoot, 0, root, [])).toBe(false)
    expect(verifyConsistency(5, root, 5, root, [])).toBe(true)
    expect(verifyConsistency(5, root, 5, mth(0, 4), [])).toBe(false)
  })
})
