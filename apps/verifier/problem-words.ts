/** What the verifier finds wrong, in Korean. It speaks English itself; a sentence that is not here is shown as it is. */
import type { Language } from './words.ts'

/** By how a sentence begins: some end in a value. */
export const problemsInKorean: Readonly<Record<string, string>> = {
  'cannot be read': '읽을 수 없습니다',
  'is not a JSON object': 'JSON 객체가 아닙니다',
  'is not part of a proof: it was added': '증명에 속하지 않는, 덧붙여진 값입니다',
  'is another format': '다른 형식입니다',
  'is not DecisionProof': 'DecisionProof가 아닙니다',
  'is not 2.0': '2.0이 아닙니다',
  'is not a time in UTC': 'UTC 시각이 아닙니다',
  'holds no chain entry': '체인 항목이 없습니다',
  'is not a domain that can be exported': '내보낼 수 있는 도메인이 아닙니다',
  'is not an object': '객체가 아닙니다',
  'does not agree with the evidence': '증거와 맞지 않습니다',
  'is not an address': '주소가 아닙니다',
  'differs from id': 'id와 다릅니다',
  'is not what it should be': '있어야 할 값이 아닙니다',
  'differs from the hashed content': '해시된 내용과 다릅니다',
  'is not a list of entries': '항목의 목록이 아닙니다',
  'is not a chain entry': '체인 항목이 아닙니다',
  'is another record': '다른 기록입니다',
  'is not the history log of the center': '이 센터의 변경 기록 로그가 아닙니다',
  'is not after the entry before': '앞 항목보다 뒤에 있지 않습니다',
  'is earlier than the entry before': '앞 항목보다 이릅니다',
  'is not what its last change says': '마지막 변경 기록과 다릅니다',
  'is a commitment to something that is not committed in this domain': '이 도메인에 없는 값에 대한 약정입니다',
  'is neither hashed nor committed: it was added': '해시에도 약정에도 없는, 덧붙여진 값입니다',
  'is missing': '빠져 있습니다',
  'has no commitment': '약정이 없습니다',
  'is a salt without its value': '값 없이 솔트만 있습니다',
  'differs from sealedAt': 'sealedAt과 다릅니다',
  'differs from the hash of what is shown': '보이는 내용의 해시와 다릅니다',
  'is not "sha256:" and 64 hex digits': '"sha256:"과 64자리 16진수가 아닙니다',
  'is not a whole number from 0': '0 이상의 정수가 아닙니다',
  'of the first entry is not null': '첫 항목인데 null이 아닙니다',
  'is not a string': '문자열이 아닙니다',
  'is there without tlogProof': 'tlogProof 없이 들어 있습니다',
  'is not a text': '글이 아닙니다',
  'is none of': '다음 가운데 하나가 아닙니다:',
  'is there although the proof says it is': '증명에 적힌 수준과 맞지 않습니다:',
  'is not base64': 'base64가 아닙니다',
  'is not one proof for each entry of the history': '변경 기록마다 증명이 하나씩 있지 않습니다',
  'is shown without its salt and cannot be checked': '솔트 없이 보여 확인할 수 없습니다',
  'is not a salt of 32 hex digits': '32자리 16진수 솔트가 아닙니다',
  'does not match its commitment': '약정과 맞지 않습니다',
  'is not': '다음 값이 아닙니다:',
}

export function problemInWords(message: string, language: Language): string {
  if (language === 'en') return message
  const found = Object.keys(problemsInKorean)
    .filter((beginning) => message.startsWith(beginning))
    .sort((one, other) => other.length - one.length)[0]
  return found === undefined ? message : `${problemsInKorean[found]}${message.slice(found.length)}`
}
