/**
 * The message to a chat channel: one sentence and a link. Pure. The names and descriptions in it are texts of strangers, so
 * only characters that no chat program reads as markup, as a mention, as an emoji or as an address are kept.
 */
import en from '@countersign/words/en/channels.json' with { type: 'json' }
import ko from '@countersign/words/ko/channels.json' with { type: 'json' }
import { saying } from '@countersign/words/say.ts'
import type { ChatMessage } from '../../../delivery/transports/chat.ts'

const longest = 120

/** Compatibility forms first: a full-width sign would else become an ordinary one in the chat program. */
export function plain(text: string): string {
  const kept = text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N} ,.;:!?%()+'·–₩$€-]/gu, ' ')
    .replaceAll(/(\p{M}{2})\p{M}+/gu, '$1')
    // A dot before a letter makes an address, and a word between two colons an emoji.
    .replaceAll(/\.(?=[\p{L}-])/gu, '. ')
    .replaceAll(/:(?=\S)/g, ': ')
    .replaceAll(/ +/g, ' ')
    .trim()
  const letters = [...kept]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : kept
}

export interface Waiting {
  readonly centerName: string
  readonly total: number
  /** Of the newest. */
  readonly description: string
  readonly url: string
}

/** In Korean where the locale of the center begins with `ko`, in English elsewhere, as mail is. */
const speech = (locale: string) => saying({ ko, en }, locale.startsWith('ko') ? 'ko' : 'en')

export function waitingMessage(locale: string, { centerName, total, description, url }: Waiting): ChatMessage {
  const say = speech(locale)
  const values = { center: plain(centerName), said: plain(description), many: total === 1 ? null : total }
  return { sentence: say('waiting', values), url, label: say('read') }
}

export function testMessage(locale: string, centerName: string, url: string): ChatMessage {
  const say = speech(locale)
  return { sentence: say('test', { center: plain(centerName) }), url, label: say('open') }
}
