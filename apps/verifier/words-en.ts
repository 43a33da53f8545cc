/** The sentences in English. */
export const en = {
  title: 'Check a record · Countersign',
  heading: 'Check a record',
  lede: 'Drop an exported proof here and see whether it is unaltered, where it stands in the log, and who vouches for it. Nothing leaves your device.',
  deskHeading: 'Your file',
  dropLine: 'Drop a proof file here',
  choose: 'Choose a file',
  dropFine: 'or paste it anywhere on this page. JSON, up to 10 MB; several at once are fine.',
  dropNow: 'Let go to check',
  pasteSummary: 'Paste the text of a proof',
  pasteLabel: 'The whole document, from { to }',
  pasteCheck: 'Check this text',
  trustSummary: 'Whose signatures count',
  trustWhy:
    'A signature says something only if you know whose it is. A trust policy is a short text that names the log and the witnesses you accept.',
  trustHow:
    'Ask whoever runs the log for their policy, or open /.well-known/countersign-log.json on their server, and keep your own copy: it should come to you by another way than the file.',
  trustLabel: 'Trust policy',
  trustUse: 'Use this policy',
  trustForget: 'Use none',
  trustFromServer: 'from this server',
  trustFromYou: 'given by you',
  trustNone: 'none yet',
  trustBad: 'This is not a trust policy: {why}',
  policyTogether:
    'A trust policy came together with the proof and was not used: whoever made the proof could have made the policy too. Get the policy another way, and give it here by itself.',
  askPolicy: 'Do you trust these keys?',
  askPolicyWhy:
    'From now on this page believes what they have signed. Compare them with what you got another way than the proof, for example from a contract or by telephone.',
  askLog: 'Log',
  askWitness: 'Witness',
  askQuorum: 'Witnesses needed',
  acceptPolicy: 'I trust these keys',
  refusePolicy: 'Do not use them',
  policyYou: 'your policy',
  policyServer: 'the policy of this server',
  usedPolicy: 'Checked under {policy}. Log keys: {logs}. Witnesses: {witnesses}.',
  usedNobody: 'none',
  languages: 'Language',
  footPrivacy: 'This page cannot send anything: its own security policy forbids every connection.',
  footMethod:
    'It recomputes the hash from what the file shows, follows it to the root of the log, and checks the signatures. The same code runs in the server and in the command line.',
  keep: 'Keep this page as a file; it works without a network',

  // The sentence on top.
  saysAltered: 'This record has been altered.',
  saysAlteredMore: 'What the file shows is not what was sealed. Do not rely on it.',
  saysContradicted: 'Do not rely on this record.',
  saysContradictedMore: 'It agrees with itself, but what should vouch for it does not hold.',
  saysUnvouched: 'Do not rely on this record: nobody whom you trust vouches for it.',
  saysUnvouchedMore:
    'The file agrees with itself, and anybody can make such a file. No key in {policy} has signed for it.',
  saysUnwitnessed: 'Do not rely on this record yet: it lacks witnesses.',
  saysUnwitnessedMore:
    'It is unaltered and its log has signed it, but not enough of the witnesses that are asked for in {policy}. A newer export may carry them.',
  saysWitnessed: 'This record is unaltered, signed and witnessed.',
  saysWitnessedMore:
    'It stands in the log since {time}. Independent witnesses, whose keys your own policy names, have seen that log: nobody can rewrite it unnoticed, not even whoever runs it.',
  saysWitnessedServedMore:
    'It stands in the log since {time}. Witnesses whom this server names have seen that log. Whether they are independent of the server, only a policy that you got another way can say.',
  saysSigned: 'This record is unaltered and signed.',
  saysSignedMore: 'It stands in the log since {time}, and its log has signed for it with a key in {policy}.',
  saysLost: 'This record was signed, and then lost by its log.',
  saysLostMore:
    'The log {log} signed it as entry {entry}. A statement of {at}, signed with a key in {policy}, says that {kept} of {size} entries were kept and the others are lost. Declared by {by}: {reason} This file may be all that is left of the record.',
  saysLostDeniedMore:
    'The log {log} signed it as entry {entry}. A statement of {at}, signed with a key in {policy}, says that only {size} entries were ever signed. That statement is not true, and this file proves it.',
  declarationsRead: 'Declarations of lost entries that were given: {count}. They count under the trust policy.',
  generations: 'Declared losses',
  generationSays:
    'On {at} {by} declared that {kept} of {size} signed entries were restored and the others are lost. The log goes on as {log}. Reason: {reason}',
  generationUnsigned: 'Signatures in the restored database reach to entry {signed}.',
  saysSandbox: 'This is test data of a sandbox, and no evidence.',
  saysSandboxMore:
    'It is unaltered and stands in a log since {time}, but that log is the one of a sandbox, where a center tries things out. It says nothing about a real decision.',
  fromSandbox: 'Test data of a sandbox:',
  saysIntact: 'The file agrees with itself. Nobody vouches for it.',
  saysIntactMore:
    'Anybody can make a file that agrees with itself, with any date and any log in it. This one says that it was sealed {time}. Who stands behind it can only be checked with a proof from the log and a trust policy.',
  saysUnreadable: 'This is not a proof.',
  saysUnreadableMore: 'The file cannot be read as an exported proof: {why}',
  saysTooLarge: 'it is larger than 10 MB.',
  saysNoEntry: 'it holds no sealed entry.',
  demo: 'You have altered one character.',
  demoMore: 'At {path}, “{before}” has become “{after}”.',

  // The four verdicts.
  verdicts: 'What was checked',
  intact: 'Intact',
  inChain: 'In the chain',
  signed: 'Signed',
  witnessed: 'Witnessed',
  yes: 'Yes',
  no: 'No',
  unknown: 'Not known',
  addPolicy: 'Add a trust policy',
  ownPolicy:
    'The trust policy comes from this server itself. To rely on nobody here, bring a policy that you got another way.',
  onlyTheHash: 'The other lines are about the hash that the file carries. What the file shows does not belong to it.',

  saysRefusal: 'The decision was refused.',
  saysRefusalClaimed: 'By this file, the decision was refused.',
  approvals: 'Who decided',
  approvedBy: 'Approved',
  refusedBy: 'Refused',
  raisedTo: 'Reviewed and raised to {to}',
  'by claim':
    'Claimed. The holder of the API key {by} names {approver} as the one who decided. That this person acted is not proved.',
  'by session': '{approver} was signed in as a member of the center, by the word of the server.',
  'by passkey': 'A passkey bound to {approver} signed exactly this approval, at the host {rpId}.',
  'by passkey redacted':
    'The record states that a passkey of {approver} signed this. What it signed is no longer shown, so the signature and the approval can no longer be compared.',
  'by passkey no-host':
    'A passkey bound to {approver} signed exactly this approval. Where is not known: the trust policy has no line #passkeys for the host {rpId}.',
  'by passkey unvouched':
    'By the file alone, a passkey bound to {approver} signed exactly this approval. Nobody whom you trust vouches that the key is theirs.',
  passkeyKey: 'The key was bound to this person on {boundAt} and confirmed on {confirmedAt} by {how}: {thumbprint}',
  passkeySynced: 'By the word of its device, the key is kept in an account and may be on several devices.',
  'how mail': 'mail alone',
  'how passkey': 'an older passkey of the same person',
  'how admin': 'another ADMIN of the center',
  'how partner': 'the partner',
  'how operator': 'the operator',
  'by system': 'The service itself did this ({approver}), and no person: a guard or an expiry.',
  onBehalf: 'As the deputy of {name}.',
  unapproved: 'Nobody approved this decision. An agent completed it.',
  hiddenName: 'somebody whom the file does not show',
  limits: 'What this does not prove',
  'limit right': 'That the decision was right.',
  'limit unrecorded': 'That nothing was left unrecorded.',
  'limit later': 'That nothing was changed later. {asOf}',
  'limit who': 'Who acted: an approver was named by the holder of an API key.',
  'limit passkey':
    'What the page showed when the passkey signed, and that nobody but this person could use the passkey.',
  'limit synced': 'On which device it was: a passkey is kept in an account and may be on several devices.',
  'limit removal':
    'That the passkey was not removed before. The commands countersign audit and countersign verify --online look for that.',
  'limit action': 'That the action shown is the one that was decided: a value or its salt is not shown.',
  factAsOf: 'As of',
  asOfSize: 'Change {change}, log size {size}; later changes are not shown by a file.',
  asOfAlone: 'Change {change}; later changes are not shown by a file.',
  outside: 'Outside the seal',
  outsideWhy: 'No hash and no signature covers these values. Anybody could have changed them.',
  problems: 'What does not agree',
  moreProblems: 'and {count} more',
  undisclosed: 'Sealed, but not shown in this file',
  undisclosedWhy:
    'These values are part of the record. Whoever made this file left them out, which leaves the rest as valid as it was.',
  redacted: 'Redacted',
  redactedWhy: 'These values were removed for good. The log keeps the date of it, and the rest stays valid.',
  redactedAt: '{path}, removed {time}',
  redactedFor: '{path}, removed {time}: {reason}',
  says: 'What the record says',
  facts: 'Facts',
  factId: 'Record',
  factDecision: 'Decision',
  factLog: 'Log',
  factIndex: 'Place in the log',
  factOf: 'Entry {entry}, in a log of {size}',
  factAlone: 'Entry {entry}',
  factHash: 'Hash',
  factSealed: 'Sealed',
  factLevel: 'Evidence level',
  factTimestamp: 'Time-stamp',
  stampUnverified:
    'There is one. This page cannot check its authority, so it shows no date; the command countersign verify --authority does.',
  factChecked: 'Checked',
  factWitness: 'Witness',
  factWitnessed: '{name}, {time}',
  document: 'The whole document',
  tryIt: 'See for yourself',
  tryItWhy: 'Change a single character of this record and check it again. The file on your disk stays as it is.',
  alter: 'Alter one character',
  restore: 'Restore the record',
  files: 'Files',
  pastedName: 'Pasted text',

  // With an address.
  here: 'The record at this address',
  hereStands: 'This record is sealed and stands in the log.',
  hereStandsMore: 'The server has just checked its entry: it still gives its hash and follows the one before it.',
  hereSandboxMore:
    'It still gives its hash and follows the entry before it, in the log of a sandbox. It says nothing about a real decision.',
  hereBroken: 'Something is wrong with this record.',
  hereBrokenMore: 'Do not rely on it. The server reports: {why}',
  hereLeft: 'The center of this record has left.',
  hereLeftMore:
    'Its data is deleted here. The log {log} was closed at {size} entries with the root {root}, on {closedAt}. A file that was exported before can still be checked below.',
  hereNone: 'There is no sealed record at this address.',
  hereNoneMore:
    'Perhaps the address is incomplete, or the decision has not been sealed yet. If you have the exported file, you can check it right here.',
  hereContent:
    'What it says is not shown here, to protect those whom it is about. Ask whoever sent you the link for the exported file, and drop it below.',
  hereLimits:
    'Not proved: that the decision was right, that nothing was left unrecorded, and who acted. This is what the server itself says; who vouches for the record is checked with its file.',
  sameRecord: 'This file is the record at this address: its hash is the one in the log.',
  otherRecord: 'This file is not the record at this address.',

  // Beside a seal, and above a sentence.
  'seal claim': 'name only',
  'seal session': 'signed in',
  'seal passkey': 'passkey',
  'seal system': 'service',
  stateGood: 'Holds',
  stateBad: 'Does not hold',
  stateSandbox: 'Sandbox',
}

export type Words = { readonly [K in keyof typeof en]: string }
