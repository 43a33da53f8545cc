/** Every operation we promise, on one screen. The server does not start until each has a route. */
import * as apiKeys from './api-keys.ts'
import * as auth from './auth.ts'
import * as centers from './centers.ts'
import * as decisionEvents from './decision-events.ts'
import * as entry from './entry.ts'
import * as members from './members.ts'
import type { Operation } from './operation.ts'
import * as provisioning from './provisioning.ts'
import * as system from './system.ts'

export const operations: readonly Operation[] = [
  auth.login,
  auth.me,
  auth.switchCenter,
  auth.refreshToken,
  auth.createSsoToken,
  auth.verifySsoToken,
  auth.logout,

  entry.forgotPassword,
  entry.resetPassword,
  entry.acceptInvitation,
  entry.listChildren,

  centers.listCenters,
  centers.getCenter,
  centers.getCenterInfo,
  centers.listInstructors,
  centers.listAvailableSlots,
  centers.searchCenters,
  centers.updateCenterSettings,
  centers.setInstructorHours,
  centers.createBooking,
  centers.deleteBooking,

  members.inviteMember,
  members.acceptMembership,
  members.approveMembership,
  members.suspendMembership,
  members.reinstateMembership,
  members.endMembership,
  members.rejectMembership,

  provisioning.provisionCenter,
  provisioning.checkSubdomain,
  provisioning.listCenterPlans,
  provisioning.listLmsPlans,
  provisioning.getSubscription,

  apiKeys.createApiKey,
  apiKeys.listApiKeys,
  apiKeys.revokeApiKey,

  decisionEvents.recordDecisionEvent,
  decisionEvents.listDecisionEvents,

  system.live,
  system.ready,
  system.jwks,
  system.openApi,
]
