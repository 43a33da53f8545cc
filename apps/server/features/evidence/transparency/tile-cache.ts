/**
 * Tiles with all their nodes, as this process read them. Complete nodes never change, so they need not be read or
 * hashed again. The cache is not trusted: a proof that does not hold evicts it and reads from the database.
 */
import type { Domain } from '@countersign/proof/chain.ts'
import { nodeHash } from '@countersign/proof/tree.ts'
import { LRUCache } from 'lru-cache'

export const hashLength = 32

/** By height above the hashes of the tile. An incomplete tile has its complete nodes. */
export type TileNodes = readonly Buffer[]

export interface TileCache {
  get(centerId: number, domain: Domain, tile: string): TileNodes | undefined
  keep(centerId: number, domain: Domain, tile: string, nodes: TileNodes): void
  forget(centerId: number, domain: Domain): void
}

/** Fits a log of a million entries. */
const maxBytes = 64 * 1024 * 1024

export function openTileCache(): TileCache {
  const kept = new LRUCache<string, TileNodes>({ maxSize: maxBytes, sizeCalculation: bytesOf })
  const logOf = (centerId: number, domain: Domain) => `${centerId}/${domain}/`
  return {
    get: (centerId, domain, tile) => kept.get(logOf(centerId, domain) + tile),
    keep(centerId, domain, tile, nodes) {
      if (nodes.length > 0) kept.set(logOf(centerId, domain) + tile, nodes)
    },
    forget(centerId, domain) {
      for (const key of [...kept.keys()]) if (key.startsWith(logOf(centerId, domain))) kept.delete(key)
    },
  }
}

const bytesOf = (nodes: TileNodes): number => nodes.reduce((sum, { length }) => sum + length, 256)

/** All nodes below the root of the tile. */
export function nodesOf(hashes: Buffer): TileNodes {
  const levels: Buffer[] = []
  for (let level = hashes; level.length > 0 && levels.length < 8; level = above(level)) levels.push(level)
  return levels
}

function above(level: Buffer): Buffer {
  const nodes = Buffer.allocUnsafeSlow(Math.floor(level.length / (2 * hashLength)) * hashLength)
  for (let at = 0; at < nodes.length; at += hashLength)
    nodes.set(nodeHash(hashIn(level, 2 * at), hashIn(level, 2 * at + hashLength)), at)
  return nodes
}

const hashIn = (level: Buffer, at: number): Uint8Array => level.subarray(at, at + hashLength)
