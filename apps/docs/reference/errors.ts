/** One section for each error code; its anchor is the code. */
import { type ErrorCode, errorCodes } from '@countersign/contract/errors.ts'
import { apiError } from '../../../packages/sdk/errors.ts'
import { addressOf } from '../markdown.ts'
import type { Language } from '../words.ts'
import type { Generated } from './api.ts'
import { advice, retryWords } from './error-advice.ts'
import { wordsOf } from './words.ts'

const codes = Object.keys(errorCodes) as ErrorCode[]

const sdkClass = (code: ErrorCode): string => {
  const { proof, platform } = errorCodes[code]
  const refusal = { code, message: '', requestId: null, details: {}, retryAfterMs: null, attempts: 1 }
  return apiError({ ...refusal, status: (proof ?? platform) as number }).name
}

export function errorsPage(language: Language): Generated {
  const words = wordsOf(language)
  const section = (code: ErrorCode) => {
    const { proof, platform, meaning } = errorCodes[code]
    const statuses = [
      proof !== null && `${proof} ${words.onProof}`,
      platform !== null && `${platform} ${words.onPlatform}`,
    ]
    const { retry, [language]: todo } = advice[code]
    return [
      `## \`${code}\``,
      `<span id="${code}"></span>${meaning}`,
      [
        `- **${words.status}:** ${statuses.filter(Boolean).join(', ')}`,
        `- **${words.retry}:** ${retryWords[retry][language]}`,
        `- **${words.sdkClass}:** [\`${sdkClass(code)}\`](${addressOf('reference/sdk', language)})`,
        `- **${words.todo}:** ${todo}`,
        `- **${words.messages}:** [${words.everyMessage}](${addressOf('reference/error-messages', 'en')}#${code.toLowerCase()})`,
      ].join('\n'),
    ].join('\n\n')
  }
  return {
    slug: 'reference/errors',
    title: words.errorsTitle,
    body: [words.errorsIntroduction, ...codes.map(section)].join('\n\n'),
  }
}
