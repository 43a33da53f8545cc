/** All operations of the API. The server does not start unless each definition has one route. */

import * as account from './account.ts'
import * as actionTypes from './action-types.ts'
import * as adminPasskeys from './admin-passkeys.ts'
import * as agents from './agents.ts'
import * as apiKeys from './api-keys.ts'
import * as approvalRequests from './approval-requests.ts'
import * as attendance from './attendance.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import * as bookingSeries from './booking-series.ts'
import * as bookingWaits from './booking-waits.ts'
import * as bookings from './bookings.ts'
import * as calendarFeeds from './calendar-feeds.ts'
import * as centerExports from './center-exports.ts'
import * as centers from './centers.ts'
import * as closures from './closures.ts'
import * as consoleOperator from './console-operator.ts'
import * as decisionApprovals from './decision-approvals.ts'
import * as decisionAsks from './decision-asks.ts'
import * as decisionConfirmations from './decision-confirmations.ts'
import * as decisionDeputies from './decision-deputies.ts'
import * as decisionEvents from './decision-events.ts'
import * as decisions from './decisions.ts'
import * as domains from './domains.ts'
import * as dpu from './dpu.ts'
import * as dpuList from './dpu-list.ts'
import * as dpuRaises from './dpu-raises.ts'
import * as dpuStats from './dpu-stats.ts'
import * as drafts from './drafts.ts'
import * as eligibility from './eligibility.ts'
import * as entry from './entry.ts'
import * as events from './events.ts'
import * as evidence from './evidence.ts'
import * as executions from './executions.ts'
import * as families from './families.ts'
import * as freezes from './freezes.ts'
import * as governance from './governance.ts'
import * as groups from './groups.ts'
import * as logos from './logos.ts'
import * as memberImport from './member-import.ts'
import * as memberPasskeys from './member-passkeys.ts'
import * as members from './members.ts'
import * as notificationChannels from './notification-channels.ts'
import * as notifications from './notifications.ts'
import * as oidc from './oidc.ts'
import * as onboarding from './onboarding.ts'
import { type Definition, mountsOf, type Operation } from './operation.ts'
import { consoleOperations } from './operations-console.ts'
import * as operatorCenters from './operator-centers.ts'
import * as partnerInvitations from './partner-invitations.ts'
import * as partnerPolicies from './partner-policies.ts'
import * as partners from './partners.ts'
import * as passkeyStanding from './passkey-standing.ts'
import * as passkeys from './passkeys.ts'
import * as plans from './plans.ts'
import * as policyCheck from './policy-check.ts'
import * as policyFiles from './policy-files.ts'
import * as provisioning from './provisioning.ts'
import * as publicVerification from './public-verification.ts'
import * as push from './push.ts'
import * as sandboxes from './sandboxes.ts'
import * as savedViews from './saved-views.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as signInProviders from './sign-in-providers.ts'
import * as signUp from './sign-up.ts'
import * as siteSignIn from './site-sign-in.ts'
import * as stepUp from './step-up.ts'
import * as system from './system.ts'
import * as testPeople from './test-people.ts'
import * as transparency from './transparency.ts'
import * as webhookEvents from './webhook-event-list.ts'
import * as webhooks from './webhooks.ts'
import * as whitelabel from './whitelabel.ts'
import * as workflows from './workflows.ts'

export const definitions: readonly (Operation | Definition)[] = [
  auth.login,
  auth.me,
  account.updateMe,
  account.changePassword,
  account.changeEmail,
  account.confirmEmail,
  account.changePhone,
  account.confirmPhone,
  account.removePhone,
  account.getErasure,
  account.deleteMe,
  auth.switchCenter,
  auth.refreshToken,
  auth.createSsoToken,
  auth.verifySsoToken,
  auth.logout,

  sessions.endOwnSession,
  sessions.listSessions,
  sessions.endSession,

  notifications.getNotifications,
  notifications.putNotifications,
  push.getPush,
  push.subscribePush,
  push.unsubscribePush,

  calendarFeeds.getCalendarFeed,
  calendarFeeds.createCalendarFeed,
  calendarFeeds.updateCalendarFeed,
  calendarFeeds.deleteCalendarFeed,
  calendarFeeds.readCalendarFeed,

  passkeys.listPasskeys,
  passkeys.startRegistration,
  passkeys.attestPasskey,
  passkeys.registerPasskey,
  passkeys.removePasskey,
  passkeys.startPasskeyLogin,
  passkeys.passkeyLogin,
  passkeyStanding.getPasskeyStanding,
  stepUp.challengeStepUp,
  stepUp.stepUp,

  oidc.listSignInOptions,
  oidc.startOidcLogin,
  oidc.finishOidcLogin,
  oidc.linkOidcAccount,
  oidc.listOidcAccounts,
  oidc.unlinkOidcAccount,
  oidc.mailOidcLink,
  oidc.confirmOidcLink,

  siteSignIn.startHandoff,
  siteSignIn.issueHandoffCode,
  siteSignIn.redeemHandoff,

  signUp.signUp,
  signUp.confirmSignUp,

  entry.forgotPassword,
  entry.resetPassword,
  entry.readInvitation,
  entry.acceptInvitation,
  entry.acceptOwnInvitation,
  entry.listChildren,

  families.listCenterChildren,
  families.addChild,
  families.inviteGuardian,
  families.endGuardianshipAsCenter,
  families.acceptGuardianship,
  families.endGuardianship,
  families.getFamily,
  families.listFamilyAppointments,
  families.listFamilyAttendance,

  centers.listCenters,
  centers.getCenter,
  centers.listCompanionApps,
  centers.getCenterInfo,
  centers.listInstructors,
  centers.listAvailableSlots,
  centers.searchCenters,
  centers.updateCenterSettings,
  centers.renameCenter,
  centers.setInstructorHours,
  bookings.listBookings,
  bookings.exportBookings,
  bookings.createBooking,
  bookings.moveBooking,
  bookings.markAttended,
  bookings.markNoShow,
  bookings.recordAttendance,
  bookings.cancelBooking,
  bookings.deleteBooking,
  bookingSeries.previewSeries,
  bookingSeries.createSeries,
  bookingSeries.getSeries,
  bookingWaits.createWait,
  bookingWaits.listWaits,
  bookingWaits.deleteWait,
  closures.listClosures,
  closures.addClosure,
  closures.removeClosure,
  closures.getHolidays,
  closures.adoptHolidays,
  attendance.listAttendance,
  attendance.exportAttendance,

  domains.addDomain,
  domains.listDomains,
  domains.checkDomain,
  domains.removeDomain,

  logos.addLogo,
  signInProviders.addSignInProvider,
  signInProviders.listSignInProviders,
  signInProviders.changeSignInProvider,
  signInProviders.checkSignInProvider,
  signInProviders.removeSignInProvider,

  members.listMembers,
  members.exportMembers,
  members.inviteMember,
  memberImport.importMembers,
  members.changeMemberRole,
  members.acceptMembership,
  members.leaveCenter,
  members.declineMembership,
  members.approveMembership,
  members.suspendMembership,
  members.reinstateMembership,
  members.endMembership,
  members.rejectMembership,
  members.reinviteMember,
  eligibility.listWaitingMembers,
  eligibility.confirmMembership,
  eligibility.confirmMembershipAsPartner,

  freezes.createFreeze,
  freezes.listFreezes,
  freezes.getFreezeCoverage,
  freezes.liftFreeze,
  freezes.listFreezesAsPartner,
  freezes.createFreezeAsPartner,
  freezes.liftFreezeAsPartner,

  memberPasskeys.listMemberPasskeys,
  memberPasskeys.listUnconfirmedPasskeys,
  memberPasskeys.challengeConfirmation,
  memberPasskeys.confirmPasskey,
  memberPasskeys.confirmPasskeyAsPartner,
  memberPasskeys.listPartnerPasskeys,
  memberPasskeys.listPlatformPasskeys,
  memberPasskeys.confirmPasskeyAsOperator,
  adminPasskeys.getAdminPasskeys,
  adminPasskeys.setAdminPasskeys,

  provisioning.provisionCenter,
  provisioning.checkSubdomain,
  provisioning.listCenterPlans,
  provisioning.listLmsPlans,
  provisioning.getSubscription,
  provisioning.getSubscriptionNotice,
  provisioning.listInvoices,

  notificationChannels.createNotificationChannel,
  notificationChannels.listNotificationChannels,
  notificationChannels.testNotificationChannel,
  notificationChannels.removeNotificationChannel,

  sandboxes.createSandbox,
  sandboxes.resetSandbox,
  sandboxes.listSandboxes,
  sandboxes.addSandbox,
  sandboxes.refreshSandbox,
  sandboxes.endSandbox,
  testPeople.listTestPeople,
  testPeople.approveAsTestPerson,
  centerExports.createCenterExport,
  centerExports.getCenterExport,
  centerExports.getCenterExportFile,
  centerExports.downloadCenterExport,

  audit.listAuditEntries,
  audit.exportAuditEntries,

  partners.listPartnerCenters,
  partners.exportPartnerCenters,
  partners.createPartnerCenter,
  partners.getPartnerCenter,
  partners.updatePartnerCenter,
  partners.namePartnerCenterAdmin,
  partners.getPartnerDashboard,
  partners.listPartnerAudit,
  partners.listPartnerMembers,
  partners.getPartnerSettings,
  partners.updatePartnerSettings,
  partnerInvitations.invitePartnerAccount,
  partnerInvitations.listPartnerInvitations,
  partnerInvitations.revokePartnerInvitation,
  partnerInvitations.listPartnerAccounts,
  partnerInvitations.updatePartnerAccount,
  partnerInvitations.endPartnerAccount,
  onboarding.onboardPartner,
  operatorCenters.getOperatedCenter,
  operatorCenters.setCenterStatus,
  operatorCenters.setCenterSubscription,
  operatorCenters.acknowledgeAlarm,
  plans.listPlanVersions,
  plans.addPlan,
  plans.addPlanVersion,
  consoleOperator.getOverview,
  consoleOperator.listAllPartners,
  consoleOperator.listAllCenters,
  consoleOperator.getAlarm,
  whitelabel.getWhitelabelConfig,

  apiKeys.createApiKey,
  apiKeys.listApiKeys,
  apiKeys.getCallingKey,
  apiKeys.rotateApiKey,
  apiKeys.revokeApiKey,

  decisionEvents.recordDecisionEvent,
  decisionEvents.listDecisionEvents,
  decisions.readDecision,
  search.searchDecisions,
  search.searchAll,
  savedViews.listViews,
  savedViews.putView,
  savedViews.deleteView,
  executions.consumeDecision,
  executions.reportOutcome,
  evidence.addApproval,
  evidence.getEvidence,
  evidence.exportEvidence,
  evidence.getUnitState,
  evidence.listChainEntries,
  transparency.getCheckpoint,
  transparency.getInclusionProof,
  transparency.getConsistencyProof,
  transparency.listGenerations,
  transparency.getLogDocument,
  evidence.getProofContext,
  publicVerification.verifyPublicly,
  agents.decide,
  approvalRequests.requestApproval,

  decisionAsks.askDecision,
  decisions.withdrawDecision,
  decisions.openDecision,
  decisionApprovals.challengeApproval,
  decisionApprovals.approveDecision,
  decisionApprovals.takeBackApproval,
  decisionConfirmations.challengeEmergencyConfirmation,
  decisionConfirmations.confirmDecision,
  decisionConfirmations.closeEmergency,
  decisionConfirmations.closeEmergencyAsPartner,
  decisions.commentDecision,
  decisionDeputies.getDeputies,
  decisionDeputies.setDeputy,
  decisionDeputies.endDeputy,

  webhooks.registerWebhook,
  webhooks.listWebhooks,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.listDeliveries,
  webhooks.retryWebhookEvent,
  webhooks.listDeliveryAttempts,
  webhookEvents.listWebhookEvents,
  webhooks.testWebhook,
  webhooks.recoverWebhook,
  webhooks.getRecovery,
  webhooks.trackDeliveries,
  webhooks.getDelivery,
  events.listEventTypes,
  events.publishEvent,

  dpuList.listDpus,
  dpu.createDemoDpu,
  dpuStats.getDpuStats,
  dpu.verifyChain,
  dpu.getDpu,
  drafts.editDraft,
  drafts.sendDraft,
  drafts.refuseDraft,
  dpuRaises.challengeRaise,
  dpu.updateDpu,
  dpu.exportDpu,
  dpu.redactDpu,
  dpu.verifyDpu,
  dpu.getResponsibility,

  governance.listPolicies,
  governance.createPolicy,
  governance.updatePolicy,
  governance.deletePolicy,
  governance.listPolicyVersions,
  actionTypes.listActionTypes,
  actionTypes.getActionType,
  actionTypes.putActionType,
  actionTypes.deleteActionType,
  groups.listGroups,
  groups.createGroup,
  groups.updateGroup,
  groups.confirmGroup,
  groups.endGroup,
  partnerPolicies.listInheritedPolicies,
  partnerPolicies.updateInheritedPolicy,
  policyCheck.checkPolicies,
  policyFiles.exportPolicies,
  policyFiles.importPolicies,

  ...consoleOperations,

  workflows.listWorkflows,
  workflows.putWorkflowSettings,
  workflows.executeWorkflow,
  workflows.listExecutions,
  workflows.getExecution,
  workflows.cancelExecution,

  system.home,
  system.live,
  system.ready,
  system.jwks,
  system.openApi,
]

export const operations: readonly Operation[] = definitions.flatMap((each) => mountsOf(each))
