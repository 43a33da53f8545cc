import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { makeLog } from '../../lib/log.ts'
import { type LogMemory, openLogMemory } from '../seen-checkpoints.ts'

let folder: string
let opened: LogMemory[]
let complaints: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-memory-'))
  opened = []
  complaints = []
})
afterEach(() => {
  for (const memory of opened) memory.close()
  rmSync(folder, { recursive: true, force: true })
})

const config = readConfig({ DATABASE_URL: 'postgres://h/d', SECRET_KEY: Buffer.alloc(32).toString('base64') })
const open = (at: string | null = folder): LogMemory => {
  const memory = openLogMemory(at, makeLog(config, { write: (line) => void complaints.push(line) }))
  opened.push(memory)
  return memory
}
const files = () => readdirSync(folder)
const log = 'log.example/c/7/proof'
const root = (digit: string) => digit.repeat(64)
const aDay = 24 * 3600 * 1000
const age = (file: string, ms: number) => {
  const at = (Date.now() - ms) / 1000
  utimesSync(join(folder, file), at, at)
}

describe('remembered checkpoints', () => {
  it('have no file before the first checkpoint', () => {
    open().close()
    const memory = open()
    memory.close()
    expect([files(), complaints]).toEqual([[], []])
    memory.remember(log, 1, root('a'))
    memory.close()
    expect(files()).toHaveLength(1)
  })

  it('keep the largest size, and ignore a smaller or equal one', () => {
    for (const memory of [open(), open(null)]) {
      expect(memory.of(log)).toBeUndefined()
      memory.remember(log, 5, root('a'))
      memory.remember(log, 4, root('b'))
      memory.remember(log, 5, root('c'))
      expect(memory.of(log)).toEqual({ size: 5, root: root('a') })
      memory.remember(log, 6, root('d'))
      expect(memory.of(log)).toEqual({ size: 6, root: root('d') })
      expect(memory.of('log.example/c/8/proof')).toBeUndefined()
    }
  })

  it('survive a stopped process, and one that is killed a second later', async () => {
    const stopped = open()
    stopped.remember(log, 5, root('a'))
    stopped.close()
    expect(open().of(log)).toEqual({ size: 5, root: root('a') })

    const killed = open()
    killed.remember(log, 9, root('b'))
    const written = () => files().some((file) => readFileSync(join(folder, file), 'utf8').includes(`${log} 9 `))
    await expect.poll(written, { timeout: 10_000 }).toBe(true)
    expect(open().of(log)).toEqual({ size: 9, root: root('b') })
  })

  it('are in a file that only its owner can read', () => {
    open().remember(log, 5, root('a'))
    for (const file of files()) expect(statSync(join(folder, file)).mode & 0o077).toBe(0)
  })

  it('end with the process when no folder is set', () => {
    open(null).remember(log, 5, root('a'))
    expect(open(null).of(log)).toBeUndefined()
  })
})

describe('several processes', () => {
  it('share a folder, each with its own file, and a new process reads the newest checkpoint of all', () => {
    const [one, other] = [open(), open()]
    one.remember(log, 5, root('a'))
    one.remember('log.example/c/8/dpu', 2, root('b'))
    other.remember(log, 7, root('c'))
    one.close()
    other.close()
    expect(files()).toHaveLength(2)
    const third = open()
    expect(third.of(log)).toEqual({ size: 7, root: root('c') })
    expect(third.of('log.example/c/8/dpu')).toEqual({ size: 2, root: root('b') })
  })

  it('leave their checkpoints, and their files are deleted after a day', () => {
    const gone = open()
    gone.remember(log, 5, root('a'))
    gone.close()
    opened = []
    const [left] = files() as [string]
    age(left, aDay - 60_000)
    open().close()
    expect(existsSync(join(folder, left))).toBe(true)
    age(left, aDay + 60_000)
    const heir = open()
    expect(existsSync(join(folder, left))).toBe(false)
    expect(heir.of(log)).toEqual({ size: 5, root: root('a') })
    heir.close()
    expect(open().of(log)).toEqual({ size: 5, root: root('a') })
  })

  it('keep their files while they run, even without new checkpoints', async () => {
    open().remember(log, 1, root('a'))
    await expect.poll(files, { timeout: 10_000 }).toHaveLength(1)
    const [own] = files() as [string]
    age(own, 2 * aDay)
    await expect.poll(() => Date.now() - statSync(join(folder, own)).mtimeMs, { timeout: 10_000 }).toBeLessThan(60_000)
  })
})

describe('a damaged folder', () => {
  it('does not stop the server: foreign files and lines are ignored', () => {
    writeFileSync(join(folder, 'README'), `${log} 99 ${root('a')}\n`)
    writeFileSync(
      join(folder, 'checkpoints-x.txt'),
      `nonsense\n${log} -1 ${root('a')}\n${log} 3 ${root('b')}\n${log} 4 abc`,
    )
    expect(open().of(log)).toEqual({ size: 3, root: root('b') })
  })

  it('is logged as an error before the first checkpoint too', () => {
    const memory = open()
    expect(complaints).toEqual([])
    rmSync(folder, { recursive: true })
    memory.close()
    expect(complaints.join('')).toContain('check TLOG_MEMORY_DIR')
  })

  it('is logged as an error when it is deleted, and sealing continues', () => {
    const memory = open()
    rmSync(folder, { recursive: true })
    memory.remember(log, 5, root('a'))
    memory.close()
    expect(memory.of(log)).toEqual({ size: 5, root: root('a') })
    expect(complaints.join('')).toContain('check TLOG_MEMORY_DIR')
  })
})
