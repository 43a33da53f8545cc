/** The four verdicts in words, by the code that the library gives with each; where a code serves several, by both. */
import type { Language } from './words.ts'

const en = {
  intact: 'The hash, computed anew from everything the file shows, is the one that was sealed.',
  altered: 'What the file shows does not give the hash that was sealed.',
  newer: 'The hash fits what the file shows. What that means, only a newer version can judge.',
  'in-chain': 'Its hash leads to a root that the log has signed, as entry {entry}.',
  'inChain no-policy':
    'Its hash leads to a root in the file. Anybody can make such a root: only a trust policy says whose it is.',
  'inChain policy-without-log': 'Its hash leads to a root in the file, and there is no log in {policy}.',
  'root-unsigned': 'Its hash leads to a root in the file that nobody in {policy} has signed.',
  'inChain no-log-proof': 'The file carries no proof of its place in the log. A newer export may.',
  'signed no-log-proof': 'There is nothing in the file that a log could have signed.',
  'witnessed no-log-proof': 'There is nothing in the file that a witness could have seen.',
  'log-proof-malformed': 'The proof from the log is damaged and cannot be read.',
  'another-log': 'The proof is about another log than the one that the record names.',
  'no-succession':
    'The proof is about a later generation of its log, and no statement signed with a key in {policy} says which entries it took over.',
  'another-index': 'The proof is about another place in the log.',
  'not-in-tree': 'Its hash does not lead to the root of the log.',
  'timestamp-bad': 'The time-stamp in the file was made for something else, or is damaged.',
  signed: 'The log has signed this state with a key in {policy}.',
  'signed no-policy': 'Without a trust policy nobody can say whose signature this is.',
  'policy-without-log': 'There is no log in {policy}.',
  'signature-bad': 'The signature was not made with the key of this log.',
  'signed-by-nobody-known': 'None of the logs in {policy} has signed this.',
  'key-stolen':
    'The key that signed this was stolen, and nothing shows that it signed this before the theft. Ask for a new export.',
  witnessed: 'As many witnesses as are asked for in {policy} have signed the same state.',
  'witnessed no-policy': 'Without a trust policy nobody can say which witnesses count.',
  'quorum-none': 'No witnesses are asked for in {policy}.',
  'quorum-not-met': 'Fewer witnesses have signed than are asked for in {policy}.',
  'cosignature-bad': 'A signature that claims to be a witness’s was not made with its key.',
}

export type VerdictWords = { readonly [K in keyof typeof en]: string }

const ko: VerdictWords = {
  intact: '파일에 보이는 모든 내용으로 다시 계산한 해시가 봉인된 해시와 같습니다.',
  altered: '파일에 보이는 내용으로는 봉인된 해시가 나오지 않습니다.',
  newer: '해시가 파일에 보이는 내용과 맞습니다. 그 뜻은 새로운 버전만 판단할 수 있습니다.',
  'in-chain': '해시가 로그가 서명한 루트까지 이어집니다. {entry}번째 항목입니다.',
  'inChain no-policy':
    '해시가 파일 안의 루트까지 이어집니다. 그런 루트는 누구나 만들 수 있으며, 누구의 것인지는 신뢰 정책이 있어야 알 수 있습니다.',
  'inChain policy-without-log': '해시가 파일 안의 루트까지 이어지지만, {policy}에 로그가 없습니다.',
  'root-unsigned': '해시가 파일 안의 루트까지 이어지지만, {policy}에 있는 누구도 그 루트에 서명하지 않았습니다.',
  'inChain no-log-proof': '파일에 위치 증명이 없습니다. 새로 내보낸 파일에는 있을 수 있습니다.',
  'signed no-log-proof': '파일에 로그가 서명할 만한 것이 없습니다.',
  'witnessed no-log-proof': '파일에 증인이 볼 만한 것이 없습니다.',
  'log-proof-malformed': '로그의 증명이 손상되어 읽을 수 없습니다.',
  'another-log': '기록에 적힌 로그가 아닌 다른 로그의 증명입니다.',
  'no-succession': '로그의 나중 세대에 대한 증명이며, 어떤 항목을 이어받았는지 {policy}의 키로 서명된 진술이 없습니다.',
  'another-index': '로그의 다른 위치에 대한 증명입니다.',
  'not-in-tree': '해시가 로그의 루트로 이어지지 않습니다.',
  'timestamp-bad': '파일의 시점 확인이 다른 것에 대한 것이거나 손상되었습니다.',
  signed: '로그가 이 상태에 서명했고, 그 키가 {policy}에 있습니다.',
  'signed no-policy': '신뢰 정책이 없으면 누구의 서명인지 알 수 없습니다.',
  'policy-without-log': '{policy}에 로그가 없습니다.',
  'signature-bad': '이 로그의 키로 만든 서명이 아닙니다.',
  'signed-by-nobody-known': '{policy}에 있는 로그 가운데 서명한 것이 없습니다.',
  'key-stolen': '서명한 키가 도난당했고, 그 전에 서명했다는 근거가 없습니다. 다시 내보낸 파일을 받으세요.',
  witnessed: '{policy}에서 요구하는 수의 증인이 같은 상태에 서명했습니다.',
  'witnessed no-policy': '신뢰 정책이 없으면 어떤 증인을 믿을지 알 수 없습니다.',
  'quorum-none': '{policy}에서 증인을 요구하지 않습니다.',
  'quorum-not-met': '서명한 증인이 {policy}의 요구보다 적습니다.',
  'cosignature-bad': '증인의 것이라는 서명이 그 증인의 키로 만들어지지 않았습니다.',
}

export const verdictWords: Readonly<Record<Language, VerdictWords>> = { en, ko }

/** What the library says in English stands in for a code that is newer than these words. */
export function verdictInWords(name: string, code: string, detail: string, language: Language): string {
  const words: Readonly<Record<string, string>> = verdictWords[language]
  return words[`${name} ${code}`] ?? words[code] ?? detail
}
