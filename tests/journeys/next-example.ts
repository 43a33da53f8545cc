/** The Next.js example: its route in Node, and the whole application as its README starts it. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignPlatform } from '@countersign/sdk'
import { agentPackages } from '../../packages/sdk/test/agents/packages.ts'
import { buildPackages, distOf } from '../../tools/build-packages.ts'
import { opened } from '../../tools/demo-agent/approver.ts'
import type { Demo } from '../../tools/demo-data.ts'
import { root } from '../docs/blocks.ts'
import { inShell, type Shell } from './shell.ts'

/** A copy of the example in which Node finds its packages: the frameworks of the cache, and the SDK of the workspace. */
export async function exampleForNode(home: string): Promise<string> {
  const folder = copied(home)
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@countersign'), { recursive: true })
  symlinkSync(join(await agentPackages(), 'node_modules/ai'), join(modules, 'ai'))
  symlinkSync(`${root}packages/sdk`, join(modules, '@countersign/sdk'))
  return folder
}

/** A copy of the example whose `npm install` takes our packages from this tree. */
export async function exampleToInstall(home: string, env: Shell['env']): Promise<string> {
  const folder = copied(home)
  await buildPackages()
  const packed = ['proof', 'sdk'].map((name) => `'${distOf(name)}'`).join(' ')
  const files = (await inShell({ folder, env }, `npm pack --silent ${packed}`)).trim().split('\n')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const file of files) manifest.dependencies[`@countersign/${file.split('-')[1]}`] = `file:${file}`
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  return folder
}

function copied(home: string): string {
  const folder = mkdtempSync(join(home, 'next-agent-'))
  cpSync(`${root}examples/next-agent`, folder, { recursive: true })
  return folder
}

/** Approves as the instructor of the demo center. */
export async function approveAsInstructor(baseUrl: string, { accounts }: Demo, approvalUrl: string): Promise<void> {
  const { email = '', password = '' } = accounts.instructor ?? {}
  const platform = new CountersignPlatform({ baseUrl })
  await platform.auth.login({ email, password })
  const eventId = approvalUrl.split('/').at(-1) ?? ''
  await platform.decisions.approve(eventId, { result: 'approved', ...(await opened(platform, eventId)) })
}
