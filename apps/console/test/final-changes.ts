/** Why a change has no undo, for each change of a file in its order. */
const asked = 'The person is asked first, because nothing takes it back.'
const beside = 'The same place has the opposite: the switch, the choice or the button that removes it.'
const kept = 'A record is kept; nothing takes it out.'
const lost = 'Its key, secret or link is gone; a new one takes its place.'
const mailed = 'A message has gone out, and nobody can unsend it.'
const none = 'It changes nothing on the server.'
const noOpposite = 'The service has no operation that takes it back.'
const sealed = 'It is sealed.'
const shownOnce = 'The page shows a key, a link or a number of the new thing, and the list removes it.'
const standing = 'A person begins, ends or answers something about themselves, after reading what it means.'
const running = 'It has begun, and the run has a button that stops it.'

export const finalChanges: Readonly<Record<string, readonly string[]>> = {
  'areas/bookings/attendance-page.tsx': [none],
  'areas/center/admin-passkeys.tsx': [beside],
  'areas/center/channels-page.tsx': [mailed, lost, beside],
  'areas/center/child-sheet.tsx': [
    'A guardian accepts again: only a new invitation brings them back.',
    'The membership is ended on the page of the member, with a reason that they read.',
  ],
  'areas/center/data-page.tsx': [none, none],
  'areas/center/domain-page.tsx': [beside],
  'areas/center/draft/send-dialog.tsx': [mailed],
  'areas/center/draft/steps.tsx': ['What a canceled run has done stays; it is begun again from the start.'],
  'areas/center/group-sheet.tsx': [
    'A confirmation is in the history; the group loses its people by a change of the group.',
    'A group that ended keeps its number; a new one counts from a new entry.',
  ],
  'areas/center/member-eligibility.tsx': [
    'A confirmation is in the history; the roles of the member are changed beside it, at once.',
  ],
  'areas/center/member-sheet.tsx': ['The client is ended on their own page.'],
  'areas/center/run-dialog.tsx': [running],
  'areas/center/sandboxes.tsx': [asked, asked, beside],
  'areas/center/workflow-sheet.tsx': [running],
  'areas/decisions/raise.tsx': [sealed],
  'areas/decisions/redact.tsx': [asked],
  'areas/decisions/withdraw.tsx': [sealed],
  'areas/developers/delivery-details.tsx': [mailed],
  'areas/developers/keys-page.tsx': [lost],
  'areas/developers/new-key.tsx': [shownOnce],
  'areas/developers/resend.tsx': [mailed],
  'areas/developers/rotate-key.tsx': [shownOnce],
  'areas/developers/rotation.tsx': [shownOnce],
  'areas/developers/start-page.tsx': [shownOnce],
  'areas/developers/webhook-form.tsx': [shownOnce],
  'areas/developers/webhook-page.tsx': [mailed, lost],
  'areas/entry/invitation-page.tsx': [standing, none],
  'areas/entry/rows.tsx': [standing],
  'areas/entry/standing-pages.tsx': [standing, standing],
  'areas/family/appointment-dialog.tsx': [
    'The center is told at once; the appointment moves back by the same dialog.',
    'The slot is offered to others at once.',
  ],
  'areas/family/children.tsx': [standing],
  'areas/inbox/sheet.tsx': ['It is itself what takes an approval back; the person approves again.'],
  'areas/me/calendar.tsx': [shownOnce, beside, lost],
  'areas/me/centers.tsx': [standing],
  'areas/me/erasure.tsx': [asked],
  'areas/me/linked.tsx': [standing, none],
  'areas/me/messages.tsx': [beside],
  'areas/me/notification-choices.tsx': [beside],
  'areas/me/passkeys.tsx': [lost],
  'areas/me/person.tsx': [beside],
  'areas/me/sessions.tsx': ['A session that ended begins again by signing in.'],
  'areas/me/sign-in.tsx': [none, standing, standing, standing],
  'areas/operator/alarms-page.tsx': [kept],
  'areas/operator/center-page.tsx': ['A subscription follows the orders; the form changes it again.'],
  'areas/operator/new-partner-page.tsx': [mailed],
  'areas/operator/plan-form.tsx': ['Customers may have chosen the version of the plan by then.'],
  'areas/partner/center-branding.tsx': [beside],
  'areas/partner/center-sheet.tsx': ['An administrator is ended by the center; the partner can only name another one.'],
  'areas/partner/outside.tsx': [
    'A confirmation is in the history; the roles of the member are changed beside it, at once.',
    'What is closed stays in the history.',
  ],
  'areas/partner/people-page.tsx': [lost],
  'areas/partner/settings-page.tsx': [beside],
  'areas/partner/stop-sheet.tsx': ['What was stopped runs again by then; it is stopped anew with its reason.'],
  'areas/policies/policy-sheet.tsx': [
    'What it loosened may have let decisions pass by then; the form changes it again, and a change that loosens waits for approvals.',
    'Decisions may have passed without the policy by then; it is created again.',
  ],
  'areas/stop/freeze-sheet.tsx': ['What was stopped runs again by then; it is stopped anew with its reason.'],
  'areas/stop/refuse-all.tsx': [sealed],
  'ui/add-child.tsx': ['The client is ended on their own page.'],
  'ui/ask-dialog.tsx': ['The request is withdrawn on its own page.'],
  'ui/check-passkey.tsx': ['A confirmation is in the history; the owner removes the passkey.'],
  'ui/decision/emergency.tsx': [sealed],
  'ui/decision/parts.tsx': [kept],
  'ui/domains/domain-list.tsx': [none, beside, lost],
  'ui/domains/sender-form.tsx': [beside],
  'ui/list-foot.tsx': [none],
  'ui/logo-field.tsx': ['The form shows the picture, and saves or forgets it.'],
  'ui/new-center/form.tsx': [noOpposite],
  'ui/providers/provider-check.tsx': [none],
  'ui/providers/provider-list.tsx': [
    'Its secret is gone; it is added again with one of the provider.',
    beside,
    'The secret of before is not readable, so it cannot be put back.',
  ],
  'ui/wait-for-place.tsx': [beside],
  'ui/waiting-list.tsx': ['The place in the list is gone: whoever joins again is last.'],
}
