/** The verdicts on a proof in Korean, by their codes. The library has the English texts. */
import { printed } from './printed.ts'
import { type Facts, filled, type Language } from './words.ts'

export const verdictsInKorean: Readonly<Record<string, string>> = {
  intact: '파일은 봉인된 그대로입니다.',
  altered: '{path}: 봉인된 내용과 다릅니다 ({message}).',
  newer: '{path}: {message}.',
  'no-log-proof': '로그의 증명이 들어 있지 않습니다. 새로 내보낸 파일을 요청하세요.',
  'log-proof-malformed': '로그의 증명을 읽을 수 없습니다.',
  'another-log': '다른 로그에 대한 증명입니다.',
  'another-index': '다른 항목에 대한 증명입니다.',
  'no-succession': '로그의 나중 세대에 대한 증명이며, 어떤 항목을 이어받았는지 보증하는 진술이 없습니다.',
  'not-in-tree': '체크포인트가 가리키는 트리에 이 해시가 없습니다.',
  'in-chain': '{log} 의 {size}개 항목 가운데 {entry}번째입니다.',
  'timestamp-bad': '타임스탬프가 이 체크포인트의 것이 아니거나 변경되었습니다.',
  'no-policy': '누구를 믿을지 정한 정책이 없습니다.',
  'root-unsigned': '이 트리의 루트를 보증하는 키가 정책에 없습니다.',
  'policy-without-log': '정책에 로그의 키가 없습니다.',
  'signature-bad': '로그 이름으로 된 서명이 그 키로 만든 것이 아닙니다.',
  'signed-by-nobody-known': '정책에 있는 어떤 키도 이 체크포인트에 서명하지 않았습니다.',
  'key-stolen': '서명한 키가 도난당했고, 그 전에 서명했다는 근거가 없습니다. 다시 내보낸 파일을 받으세요.',
  signed: '로그가 {size}개 항목에 대해 서명했습니다.',
  'cosignature-bad': '증인 이름으로 된 서명이 그 키로 만든 것이 아닙니다.',
  'quorum-none': '정책이 증인을 요구하지 않습니다.',
  'quorum-not-met': '정책이 요구하는 증인이 모자랍니다.',
  witnessed: '정책이 요구하는 증인들이 확인했습니다.',
}

/** An unknown code falls back to the English text of the library. */
export function verdictInWords(code: string, detail: string, facts: Facts, language: Language): string {
  const sentence = language === 'ko' ? verdictsInKorean[code] : undefined
  return sentence === undefined ? printed(detail, language) : filled(sentence, facts, language)
}
