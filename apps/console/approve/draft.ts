/** What was written, over the way to the sign-in and back. In this tab only, and taken when it is read. */
const key = 'countersign-draft'

export interface Draft {
  reason: string
  comment: string
  /** Not kept over a sign-in: it is chosen again. */
  emergency?: true
}

export function keepDraft(of: string, draft: Draft): void {
  if (draft.reason === '' && draft.comment === '') return
  try {
    sessionStorage.setItem(key, JSON.stringify({ of, reason: draft.reason, comment: draft.comment }))
  } catch {
    // Without storage it is written again.
  }
}

export function takeDraft(of: string): Draft {
  try {
    const {
      of: kept,
      reason,
      comment,
    } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Record<string, unknown>>
    sessionStorage.removeItem(key)
    if (kept === of) return { reason: String(reason), comment: String(comment) }
  } catch {
    // As above.
  }
  return { reason: '', comment: '' }
}
