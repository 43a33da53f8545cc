/** Servers that change their tools all the time, or choose their names, in what the gateway says about it. */
import { expect, it } from 'vitest'
import type { Config } from '../config.ts'
import { changeAsker } from '../pin-changes.ts'
import type { Change, Pins } from '../pins.ts'

it('one server takes no place of another, and no name looks like another line', () => {
  const said: string[] = []
  const asker = changeAsker({} as Config, {} as Pins, (line) => said.push(line))
  const change = (upstream: string, tool: string) => ({ upstream, tool, digest: `sha256:${tool}`, times: 1 }) as Change
  for (let at = 0; at < 60; at++) asker.ask(change('busy', `tool-${at}`))
  expect(said).toHaveLength(50)
  asker.ask(change('quiet', 'note\nnotes was accepted'))
  expect(said.at(-1)).toContain('quiet has added the tool "note\\nnotes was accepted".')
  asker.close()
})
