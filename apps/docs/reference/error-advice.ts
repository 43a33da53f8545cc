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
    'Send JSON with `Content-Type: application/json`, at most 1 MiB. `message` says where reading stopped.',
    '`Content-Type: application/json`인 1 MiB 이하의 JSON을 보냅니다. `message`가 읽기를 멈춘 곳을 알려 줍니다.',
  ),
  UNAUTHORIZED: changed(
    'Send an API key under `/api/v1`, an access token elsewhere. The key may be revoked, expired or bound to other addresses.',
    '`/api/v1`에는 API 키를, 다른 곳에는 액세스 토큰을 보냅니다. 키가 폐기되었거나 만료되었거나 다른 주소로 제한되었을 수 있습니다.',
  ),
  TOKEN_EXPIRED: changed(
    'Exchange the refresh token with `POST /api/auth/refresh-token`, then repeat the request with the new access token.',
    '`POST /api/auth/refresh-token`로 새 토큰을 받고 새 액세스 토큰으로 다시 요청합니다.',
  ),
  INVALID_CREDENTIALS: changed(
    'Ask the person for the password again. After a few failures the account and address are limited for a time.',
    '비밀번호를 다시 묻습니다. 몇 번 실패하면 그 계정과 주소는 얼마 동안 제한됩니다.',
  ),
  FORBIDDEN: changed(
    'Use a credential that has the scope or right that `message` names, or ask an ADMIN for it.',
    '`message`에 나온 범위나 권한이 있는 자격 증명을 쓰거나 ADMIN에게 요청합니다.',
  ),
  NO_MEMBERSHIP: changed(
    'Enter a center of which the person is an ACTIVE member.',
    '그 사람이 ACTIVE 구성원인 센터에 들어갑니다.',
  ),
  MEMBERSHIP_SUSPENDED: changed(
    'An ADMIN of the center reactivates the membership.',
    '센터의 ADMIN이 구성원 자격을 다시 활성화합니다.',
  ),
  MEMBERSHIP_ENDED: changed(
    'An ADMIN of the center invites the person again.',
    '센터의 ADMIN이 그 사람을 다시 초대합니다.',
  ),
  INSUFFICIENT_ROLE: changed(
    'A member with one of the roles that the operation names calls it.',
    '작업이 요구하는 역할이 있는 구성원이 호출합니다.',
  ),
  CENTER_NOT_FOUND: changed('Check the domain or id of the center.', '센터의 도메인이나 id를 확인합니다.'),
  CENTER_SUSPENDED: changed(
    'The partner or the operator reactivates the center.',
    '파트너나 운영자가 센터를 다시 활성화합니다.',
  ),
  NOT_FOUND: changed(
    'Check the id and the center of the credential. Objects of other centers answer in the same way.',
    'id와 자격 증명의 센터를 확인합니다. 다른 센터의 객체도 똑같이 답합니다.',
  ),
  METHOD_NOT_ALLOWED: changed(
    'Use one of the methods that the header `Allow` names.',
    '헤더 `Allow`에 나온 메서드로 요청합니다.',
  ),
  CONFLICT: changed(
    'Read the present state, then decide. With an idempotency key: the key was used with another body.',
    '현재 상태를 읽고 나서 판단합니다. 멱등 키를 썼다면 그 키를 다른 본문에 쓴 것입니다.',
  ),
  SUBDOMAIN_TAKEN: changed(
    'Choose another subdomain; `POST /api/provisioning/check-subdomain` says which are free.',
    '다른 서브도메인을 고릅니다. `POST /api/provisioning/check-subdomain`이 쓸 수 있는지 알려 줍니다.',
  ),
  PROVISIONING_FAILED: same('Repeat the request with the same `orderId`.', '같은 `orderId`로 다시 요청합니다.'),
  DUPLICATE_PROVISIONING: changed(
    'Use a new `orderId` for another order, or send the content of the first request.',
    '다른 주문에는 새 `orderId`를 쓰고, 같은 주문이면 첫 요청의 내용을 보냅니다.',
  ),
  DPU_NOT_FOUND: changed('Check the id and the center.', 'id와 센터를 확인합니다.'),
  DPU_SEALED: changed(
    'An AUDIT_READY record does not change. Record a new decision, or [redact](/docs/guides/redaction) values.',
    'AUDIT_READY 기록은 바뀌지 않습니다. 새 결정을 기록하거나 값을 [가립니다](/docs/ko/guides/redaction).',
  ),
  CHAIN_BROKEN: changed(
    'Stop relying on the chain and tell the operator: the [runbook](/docs/operation/runbook#a-chain-is-broken) has the steps.',
    '체인을 더 믿지 말고 운영자에게 알립니다. 절차는 [런북](/docs/ko/operation/runbook#a-chain-is-broken)에 있습니다.',
  ),
  INVALID_EVIDENCE_LEVEL: changed(
    'Ask for a higher level than the record has.',
    '기록의 현재 수준보다 높은 수준을 요청합니다.',
  ),
  VALIDATION_ERROR: changed(
    '`message` names the member and what it accepts. Correct it and send a new request.',
    '`message`가 항목과 받는 값을 알려 줍니다. 고쳐서 새로 요청합니다.',
  ),
  INVALID_EMAIL: changed('Ask the person for the address again.', '이메일 주소를 다시 묻습니다.'),
  INVALID_SUBDOMAIN: changed('Choose a subdomain of this form.', '이 형식에 맞는 서브도메인을 고릅니다.'),
  MISSING_REQUIRED_FIELD: changed('Add the member that `message` names.', '`message`에 나온 항목을 더합니다.'),
  POLICY_VIOLATION: changed(
    'Do not act. `details` name the policy and the guard; a person with the level that is asked for approves, or the policy changes.',
    '실행하지 않습니다. `details`가 정책과 조건을 알려 줍니다. 요구된 수준의 사람이 승인하거나 정책을 바꿉니다.',
  ),
  RATE_LIMITED: same('Wait as many seconds as `Retry-After` says.', '`Retry-After`의 초만큼 기다립니다.'),
  RATE_LIMIT: same('Wait as many seconds as `Retry-After` says.', '`Retry-After`의 초만큼 기다립니다.'),
  INTERNAL_ERROR: same(
    'Retry with backoff and the same idempotency key. If it stays, send `requestId` to the operator.',
    '간격을 늘려 가며 같은 멱등 키로 다시 요청합니다. 계속되면 운영자에게 `requestId`를 보냅니다.',
  ),
  SERVICE_UNAVAILABLE: same(
    'Retry after `Retry-After`, with the same idempotency key.',
    '`Retry-After` 뒤에 같은 멱등 키로 다시 요청합니다.',
  ),
  DATABASE_ERROR: same(
    'Retry with the same idempotency key; nothing was changed.',
    '같은 멱등 키로 다시 요청합니다. 바뀐 것은 없습니다.',
  ),
}

export const retryWords: Readonly<Record<Advice['retry'], Words>> = {
  same: { en: 'yes, the same request', ko: '예, 같은 요청' },
  changed: { en: 'no, the request or the state has to change', ko: '아니요, 요청이나 상태가 바뀌어야 합니다' },
}
