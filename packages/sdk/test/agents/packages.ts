/** The frameworks, in the versions that the README names. */
import { entryOf, npmPackages } from '../../../../tests/interop/installed.ts'

export const versions = [
  'ai@7.0.169',
  'zod@4.6.7',
  'langchain@1.5.14',
  '@langchain/core@1.2.13',
  '@langchain/langgraph@1.4.18',
]

const entries = {
  ai: `export * from 'ai'\nexport * from 'ai/test'\nexport { z } from 'zod'\n`,
  langchain: `export * from 'langchain'
export { BaseChatModel } from '@langchain/core/language_models/chat_models'
export { Command, MemorySaver } from '@langchain/langgraph'
`,
}

/** 1.12.9 wants a newer @langchain/core than the one that is tested; npm then searches without end. */
const overrides = { '@langchain/langgraph-sdk': '1.12.3' }

export const agentPackages = (): Promise<string> => npmPackages('agents', versions, entries, overrides)

/** A module without types: the programs of the README are what type-checks against these packages. */
export const load = async (entry: keyof typeof entries) => import(entryOf(await agentPackages(), entry))
