/** What a code of the API means for the person, and what to do next. A new code does not compile without its sentences. */
import type { ErrorCode } from '@countersign/contract/errors.ts'
import type { Label } from '../app/i18n.ts'

/** Codes of this browser, beside those of the server. */
type Code = ErrorCode | 'NO_ANSWER' | 'UNREADABLE'

interface Told {
  readonly what: Label
  readonly next: Label
}

const told = (koWhat: string, koNext: string, enWhat: string, enNext: string): Told => ({
  what: { ko: koWhat, en: enWhat },
  next: { ko: koNext, en: enNext },
})

const signInAgain = ['다시 들어오십시오.', 'Sign in again.'] as const
const askAdmin = ['센터 관리자에게 물어보십시오.', 'Ask the administrator of the center.'] as const
const tryLater = [
  '잠시 뒤에 다시 시도하십시오. 바뀐 것은 없습니다.',
  'Try again in a moment. Nothing was changed.',
] as const
const checkInput = ['표시된 칸을 고쳐 주십시오.', 'Correct the marked field.'] as const
const reload = ['지금 상태를 다시 읽고 정하십시오.', 'Read the present state and decide again.'] as const

const table: Readonly<Record<Code, Told>> = {
  BAD_REQUEST: told('요청을 읽을 수 없습니다.', checkInput[0], 'The request could not be read.', checkInput[1]),
  UNAUTHORIZED: told('로그인이 필요합니다.', signInAgain[0], 'You are not signed in.', signInAgain[1]),
  TOKEN_EXPIRED: told('로그인이 끝났습니다.', signInAgain[0], 'Your session has ended.', signInAgain[1]),
  INVALID_CREDENTIALS: told(
    '이메일이나 비밀번호가 맞지 않습니다.',
    '다시 적어 주십시오.',
    'The email or the password is wrong.',
    'Type them again.',
  ),
  FORBIDDEN: told('이 일을 할 권한이 없습니다.', askAdmin[0], 'You may not do this.', askAdmin[1]),
  NO_MEMBERSHIP: told('이 센터의 회원이 아닙니다.', askAdmin[0], 'You are not a member of this center.', askAdmin[1]),
  MEMBERSHIP_SUSPENDED: told(
    '이 센터에서 이용이 멈췄습니다.',
    askAdmin[0],
    'Your access to this center is suspended.',
    askAdmin[1],
  ),
  MEMBERSHIP_ENDED: told(
    '이 센터의 이용이 끝났습니다.',
    askAdmin[0],
    'Your membership in this center has ended.',
    askAdmin[1],
  ),
  INSUFFICIENT_ROLE: told('맡은 역할로는 할 수 없습니다.', askAdmin[0], 'Your role does not allow this.', askAdmin[1]),
  CENTER_NOT_FOUND: told(
    '그런 센터가 없습니다.',
    '주소를 확인하십시오.',
    'There is no such center.',
    'Check the address.',
  ),
  CENTER_SUSPENDED: told(
    '센터의 이용이 멈췄습니다.',
    '봉인된 기록은 그대로 있습니다. 운영자에게 물어보십시오.',
    'The center is suspended.',
    'Sealed records remain. Ask the operator.',
  ),
  NOT_FOUND: told(
    '찾는 것이 없습니다.',
    '이 센터의 것인지 확인하십시오.',
    'It does not exist.',
    'Check that it belongs to this center.',
  ),
  METHOD_NOT_ALLOWED: told(
    '이 주소로는 할 수 없는 요청입니다.',
    '페이지를 새로 고쳐 주세요.',
    "This address doesn't accept the request.",
    'Reload the page.',
  ),
  CONFLICT: told('그사이 상태가 바뀌었습니다.', reload[0], 'The state has changed in the meantime.', reload[1]),
  SUBDOMAIN_TAKEN: told(
    '이미 쓰는 주소입니다.',
    '다른 이름을 고르십시오.',
    'This address is taken.',
    'Choose another name.',
  ),
  PROVISIONING_FAILED: told('센터를 만들지 못했습니다.', tryLater[0], 'The center could not be created.', tryLater[1]),
  DUPLICATE_PROVISIONING: told(
    '같은 주문 번호가 다른 내용으로 쓰였습니다.',
    '새 주문으로 다시 하십시오.',
    'The order id was used with other content.',
    'Start a new order.',
  ),
  DPU_NOT_FOUND: told(
    '그런 기록이 없습니다.',
    '이 센터의 것인지 확인하십시오.',
    'There is no such record.',
    'Check that it belongs to this center.',
  ),
  DPU_SEALED: told(
    '봉인된 기록은 바꿀 수 없습니다.',
    '새 결정을 기록하십시오.',
    'A sealed record cannot change.',
    'Record a new decision.',
  ),
  CHAIN_BROKEN: told(
    '체인이 이어지지 않습니다.',
    '체인 화면에서 어긋난 곳을 확인하십시오.',
    'The chain does not hold.',
    'See the break on the chain page.',
  ),
  INVALID_EVIDENCE_LEVEL: told(
    '증거 수준은 올리기만 할 수 있습니다.',
    reload[0],
    'The evidence level can only rise.',
    reload[1],
  ),
  VALIDATION_ERROR: told('적은 값이 맞지 않습니다.', checkInput[0], 'A value is not valid.', checkInput[1]),
  INVALID_EMAIL: told('이메일 주소가 아닙니다.', checkInput[0], 'This is no email address.', checkInput[1]),
  INVALID_SUBDOMAIN: told(
    '주소는 소문자, 숫자, 붙임표로 3자에서 30자입니다.',
    checkInput[0],
    'An address has 3 to 30 lowercase letters, digits and hyphens.',
    checkInput[1],
  ),
  MISSING_REQUIRED_FIELD: told('꼭 적을 칸이 비었습니다.', checkInput[0], 'A required field is empty.', checkInput[1]),
  POLICY_VIOLATION: told(
    '정책이 이 결정을 거절합니다.',
    '정책 화면에서 규칙을 확인하십시오.',
    'A policy refuses this decision.',
    'See the rule on the policy page.',
  ),
  RATE_LIMITED: told(
    '요청이 너무 많습니다.',
    '잠시 뒤에 저절로 이어집니다.',
    'Too many requests.',
    'It continues by itself in a moment.',
  ),
  RATE_LIMIT: told(
    '요청이 너무 많습니다.',
    '잠시 뒤에 저절로 이어집니다.',
    'Too many requests.',
    'It continues by itself in a moment.',
  ),
  INTERNAL_ERROR: told(
    '서버에서 예상하지 못한 일이 생겼습니다.',
    tryLater[0],
    'Something unexpected happened on the server.',
    tryLater[1],
  ),
  SERVICE_UNAVAILABLE: told(
    '서버가 잠시 답하지 못합니다.',
    tryLater[0],
    'The server cannot answer for a moment.',
    tryLater[1],
  ),
  DATABASE_ERROR: told('저장하지 못했습니다.', tryLater[0], 'It could not be stored.', tryLater[1]),
  NO_ANSWER: told(
    '서버의 답이 없습니다.',
    '연결을 확인하고 다시 시도하십시오. 봉인된 기록은 안전합니다.',
    'The server does not answer.',
    'Check the connection and try again. Sealed records are safe.',
  ),
  UNREADABLE: told(
    '답을 읽을 수 없습니다.',
    '주소가 맞는지 확인하십시오.',
    'The answer could not be read.',
    'Check the address of the server.',
  ),
}

export const wordsOfError = (code: string): Told => table[code as Code] ?? table.INTERNAL_ERROR
