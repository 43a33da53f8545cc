import { aiSdk } from './ai.ts'
import { plainGuard } from './guard.ts'
import { langChain } from './langchain.ts'

export const frameworks = [plainGuard, aiSdk, langChain] as const
