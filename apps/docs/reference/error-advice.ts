/** What a caller does after each error. A code without a line here is a type error. */
import type { ErrorCode } from '@countersign/contract/errors.ts'
import type { Words } from '../words.ts'

export interface Advice extends Words {
  /** `same`: the same request can succeed later, with the same idempotency key. `changed`: only another request can. */
  readonly retry: 'same' | 'changed'
}

const changed = (en: string, ko: string): Advice => ({ en, ko, retry: 'changed' })
const same = (en: string, ko: string): Advice => ({ en, ko, retry: 'same' })

export const advice: Readonly<Record<ErrorCode, Advice>> = {
  BAD_REQUEST: changed(
    'Send JSON of at most 1 MiB with `Content-Type: application/json`. `message` says what could not be read.',
    '`Content-Type: application/json`으로 1 MiB 이하의 JSON을 보내세요. 읽지 못한 것은 `message`에 나옵니다.',
  ),
  UNAUTHORIZED: changed(
    'Send an API key under `/api/v1` and an access token elsewhere. The key may have been revoked or have expired.',
    '`/api/v1`에는 API 키를, 그 밖의 경로에는 액세스 토큰을 보내세요. 키가 폐기되었거나 만료되었을 수 있습니다.',
  ),
  TOKEN_EXPIRED: changed(
    'Exchange the refresh token with `POST /api/auth/refresh-token`, then repeat the request with the new access token.',
    '`POST /api/auth/refresh-token`으로 새 토큰을 받고, 새 액세스 토큰으로 다시 요청하세요.',
  ),
  INVALID_CREDENTIALS: changed(
    'Ask for the password again. After several failures, the account and the address have to wait.',
    '비밀번호를 다시 입력받으세요. 여러 번 실패하면 그 계정과 주소는 한동안 로그인할 수 없습니다.',
  ),
  FORBIDDEN: changed(
    'Use a credential with the scope or role that `message` names, or ask an ADMIN for one.',
    '`message`에 나온 권한이나 역할이 있는 자격 증명을 사용하거나 ADMIN에게 요청하세요.',
  ),
  NO_MEMBERSHIP: changed(
    'Switch to a center where the person is an ACTIVE member.',
    '로그인한 사람이 ACTIVE 구성원인 센터로 전환하세요.',
  ),
  MEMBERSHIP_SUSPENDED: changed(
    "Ask one of the center's ADMINs to reinstate the member.",
    '센터의 ADMIN에게 정지 해제를 요청하세요.',
  ),
  MEMBERSHIP_ENDED: changed(
    "Ask one of the center's ADMINs to invite the person again.",
    '센터의 ADMIN에게 다시 초대해 달라고 요청하세요.',
  ),
  INSUFFICIENT_ROLE: changed(
    'Ask a member with one of the roles that the operation requires.',
    '오퍼레이션이 요구하는 역할의 구성원에게 요청하세요.',
  ),
  CENTER_NOT_FOUND: changed("Check the center's subdomain or ID.", '센터의 서브도메인이나 ID를 확인하세요.'),
  CENTER_SUSPENDED: changed(
    'Ask the partner or the operator to reinstate the center.',
    '파트너나 운영자에게 센터의 정지 해제를 요청하세요.',
  ),
  NOT_FOUND: changed(
    "Check the ID and the credential's center. An object that belongs to another center gets the same response.",
    'ID와 자격 증명의 센터를 확인하세요. 다른 센터의 객체에도 같은 응답을 받습니다.',
  ),
  METHOD_NOT_ALLOWED: changed(
    'Use one of the methods in the header `Allow`.',
    '`Allow` 헤더에 있는 메서드를 사용하세요.',
  ),
  CONFLICT: changed(
    'Read the current state, then decide. If you sent an idempotency key, it may have been used with a different body.',
    '현재 상태를 조회한 뒤 결정하세요. 멱등성 키를 보냈다면 다른 본문에 이미 쓴 키일 수 있습니다.',
  ),
  SUBDOMAIN_TAKEN: changed(
    'Choose another subdomain. `POST /api/provisioning/check-subdomain` says whether it is free.',
    '다른 서브도메인을 선택하세요. `POST /api/provisioning/check-subdomain`으로 쓸 수 있는지 확인할 수 있습니다.',
  ),
  PROVISIONING_FAILED: same('Repeat the request with the same `orderId`.', '같은 `orderId`로 다시 요청하세요.'),
  DUPLICATE_PROVISIONING: changed(
    "Use a new `orderId` for a new order, or send the first request's content again.",
    '새 주문이면 새 `orderId`를 쓰고, 같은 주문이면 첫 요청과 같은 내용을 보내세요.',
  ),
  DPU_NOT_FOUND: changed('Check the ID and the center.', 'ID와 센터를 확인하세요.'),
  DPU_SEALED: changed(
    "An AUDIT_READY record can't be changed. Record a new decision, or [redact](/docs/guides/redaction) values.",
    'AUDIT_READY 기록은 바꿀 수 없습니다. 새 결정을 기록하거나 값을 [삭제하세요](/docs/ko/guides/redaction).',
  ),
  CHAIN_BROKEN: changed(
    "Don't rely on the chain, and tell the operator. The [runbook](/docs/operation/runbook#a-chain-is-broken) has the steps.",
    '체인을 신뢰하지 말고 운영자에게 알리세요. 절차는 [런북](/docs/ko/operation/runbook#a-chain-is-broken)에 있습니다.',
  ),
  INVALID_EVIDENCE_LEVEL: changed(
    'Send a higher level than the record has.',
    '기록의 현재 수준보다 높은 수준을 보내세요.',
  ),
  VALIDATION_ERROR: changed(
    '`message` names the field and what it accepts. Correct it and send a new request.',
    '어느 필드가 어떤 값을 받는지 `message`에 나옵니다. 고쳐서 다시 요청하세요.',
  ),
  INVALID_EMAIL: changed('Ask for the email address again.', '이메일 주소를 다시 입력받으세요.'),
  INVALID_SUBDOMAIN: changed('Choose a subdomain of this form.', '형식에 맞는 서브도메인을 선택하세요.'),
  MISSING_REQUIRED_FIELD: changed('Add the field that `message` names.', '`message`에 나온 필드를 추가하세요.'),
  POLICY_VIOLATION: changed(
    "Don't act. `details` names the policy and the guard. Have someone approve who meets the policy, or change the policy.",
    '실행하지 마세요. 어느 정책의 어느 가드인지 `details`에 나옵니다. 정책에 맞는 사람이 승인하거나 정책을 바꿔야 합니다.',
  ),
  RATE_LIMITED: same('Wait for the number of seconds in `Retry-After`.', '`Retry-After`에 있는 초만큼 기다리세요.'),
  RATE_LIMIT: same('Wait for the number of seconds in `Retry-After`.', '`Retry-After`에 있는 초만큼 기다리세요.'),
  INTERNAL_ERROR: same(
    'Retry with backoff and the same idempotency key. If it keeps failing, send `requestId` to the operator.',
    '간격을 늘려 가며 같은 멱등성 키로 다시 요청하세요. 계속 실패하면 운영자에게 `requestId`를 보내세요.',
  ),
  SERVICE_UNAVAILABLE: same(
    'Retry with the same idempotency key after the number of seconds in `Retry-After`.',
    '`Retry-After`에 있는 초가 지난 뒤 같은 멱등성 키로 다시 요청하세요.',
  ),
  DATABASE_ERROR: same(
    'Nothing was changed. Retry with the same idempotency key.',
    '변경된 내용은 없습니다. 같은 멱등성 키로 다시 요청하세요.',
  ),
}

export const retryWords: Readonly<Record<Advice['retry'], Words>> = {
  same: { en: 'yes, the same request', ko: '예, 같은 요청' },
  changed: { en: 'no, not unless the request or the state changes', ko: '아니요. 요청이나 상태가 바뀌어야 합니다' },
}
