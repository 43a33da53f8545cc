/** The public interface of this package, together with the entry points of package.json; other files cannot be imported. */

export type * from './api.generated.ts'
export { ApprovalPendingError, type WaitOptions } from './approval.ts'
export type { Answer, Call, CallOptions, Page, PageCall, Pagination } from './call.ts'
export type { Clock } from './clock.ts'
export { Countersign, type CountersignOptions } from './countersign.ts'
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CountersignError,
  NotFoundError,
  PermissionError,
  PolicyViolationError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnreadableAnswerError,
  ValidationError,
} from './errors.ts'
export { CountersignPlatform, type CountersignPlatformOptions } from './platform.ts'
export type { SessionTokens } from './session.ts'
export type { ClientOptions } from './transport.ts'
export {
  type DecidedCall,
  decidedCall,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookEvent,
  WebhookSignatureError,
} from './webhook.ts'
