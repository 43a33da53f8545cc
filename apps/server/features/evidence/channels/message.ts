/**
 * The message to a chat channel: one sentence and a link. Pure. The names and descriptions in it are texts of strangers, so
 * only characters that no chat program reads as markup, as a mention, as an emoji or as an address are kept.
 */

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
export function waitingMessage(locale: string, { centerName, total, description, url }: Waiting): ChatMessage {
  const [center, said] = [plain(centerName), plain(description)]
  if (locale.startsWith('ko')) {
    const what = total === 1 ? `승인을 기다리는 결정: ${said}` : `승인을 기다리는 결정 ${total}건, 최근 결정: ${said}`
    return { sentence: `${center} – ${what}`, url, label: '열어서 읽기' }
  }
  const what = total === 1 ? `A decision waits for approval: ${said}` : `${total} decisions wait, the newest: ${said}`
  return { sentence: `${center} – ${what}`, url, label: 'Open it to read and decide' }
}

export function testMessage(locale: string, centerName: string, url: string): ChatMessage {
  const center = plain(centerName)
  return locale.startsWith('ko')
    ? { sentence: `${center} – Countersign의 시험 메시지입니다.`, url, label: 'Countersign 열기' }
    : { sentence: `${center} – This is a test message of Countersign.`, url, label: 'Open Countersign' }
}
