/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry, NavigationWord } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { auditSearch, familiesSearch, groupsSearch, membersSearch, workflowsSearch } from './search.ts'

const getParentRoute = () => centerRoute

const members = createRoute({
  getParentRoute,
  path: '/members',
  validateSearch: membersSearch,
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})
const imports = createRoute({
  getParentRoute,
  path: '/members/import',
  component: lazyRouteComponent(() => import('./import/import-page.tsx'), 'ImportPage'),
})
const groups = createRoute({
  getParentRoute,
  path: '/groups',
  validateSearch: groupsSearch,
  component: lazyRouteComponent(() => import('./groups-page.tsx'), 'GroupsPage'),
})
const families = createRoute({
  getParentRoute,
  path: '/families',
  validateSearch: familiesSearch,
  component: lazyRouteComponent(() => import('./families-page.tsx'), 'FamiliesPage'),
})
const workflows = createRoute({
  getParentRoute,
  path: '/workflows',
  validateSearch: workflowsSearch,
  component: lazyRouteComponent(() => import('./workflows-page.tsx'), 'WorkflowsPage'),
})
const app = createRoute({
  getParentRoute,
  path: '/apps/$app',
  component: lazyRouteComponent(() => import('./app-page.tsx'), 'AppPage'),
})
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})
const channels = createRoute({
  getParentRoute,
  path: '/settings/channels',
  component: lazyRouteComponent(() => import('./channels-page.tsx'), 'ChannelsPage'),
})
const signIn = createRoute({
  getParentRoute,
  path: '/settings/sign-in',
  component: lazyRouteComponent(() => import('./sign-in-page.tsx'), 'SignInPage'),
})
const features = createRoute({
  getParentRoute,
  path: '/settings/features',
  component: lazyRouteComponent(() => import('./features-page.tsx'), 'FeaturesPage'),
})
const branding = createRoute({
  getParentRoute,
  path: '/branding',
  component: lazyRouteComponent(() => import('./branding-page.tsx'), 'BrandingPage'),
})
const domain = createRoute({
  getParentRoute,
  path: '/domain',
  component: lazyRouteComponent(() => import('./domain-page.tsx'), 'DomainPage'),
})
const subscription = createRoute({
  getParentRoute,
  path: '/subscription',
  component: lazyRouteComponent(() => import('./subscription-page.tsx'), 'SubscriptionPage'),
})
const audit = createRoute({
  getParentRoute,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})
const data = createRoute({
  getParentRoute,
  path: '/data',
  component: lazyRouteComponent(() => import('./data-page.tsx'), 'DataPage'),
})

export const routes = [
  members,
  imports,
  groups,
  families,
  workflows,
  settings,
  channels,
  signIn,
  features,
  branding,
  domain,
  subscription,
  audit,
  data,
  app,
] as const

const entry = (path: string, label: NavigationWord, order: number, roles: readonly string[] = ['ADMIN']) =>
  ({ place: 'center', path, label, roles, group: 'more', order }) as const

export const navigation: readonly NavigationEntry[] = [
  { place: 'center', path: '/members', label: 'navMembers', roles: ['ADMIN'], key: 'u', order: 30 },
  entry('/groups', 'navGroups', 105),
  { ...entry('/families', 'navFamilies', 110), feature: 'families' },
  { ...entry('/workflows', 'navWorkflows', 120, ['ADMIN', 'INSTRUCTOR']), key: 'w' },
  entry('/settings', 'navSettings', 130),
  entry('/branding', 'navBranding', 140),
  entry('/domain', 'navDomain', 145),
  entry('/subscription', 'navSubscription', 150),
  { ...entry('/audit', 'navAudit', 160, ['ADMIN', 'INSTRUCTOR']), key: 'a' },
  entry('/data', 'navData', 170),
]
