/** Routes below `centerRoute`, and the words in the navigation. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { NavigationEntry } from '../../app/navigation.ts'
import { centerRoute } from '../../app/roots.tsx'
import { auditSearch, familiesSearch, membersSearch, workflowsSearch } from './search.ts'

const getParentRoute = () => centerRoute

const members = createRoute({
  getParentRoute,
  path: '/members',
  validateSearch: membersSearch,
  component: lazyRouteComponent(() => import('./members-page.tsx'), 'MembersPage'),
})
const passkeys = createRoute({
  getParentRoute,
  path: '/passkeys',
  component: lazyRouteComponent(() => import('./passkeys-page.tsx'), 'PasskeysPage'),
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
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-page.tsx'), 'SettingsPage'),
})
const branding = createRoute({
  getParentRoute,
  path: '/branding',
  component: lazyRouteComponent(() => import('./branding-page.tsx'), 'BrandingPage'),
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

export const routes = [members, passkeys, families, workflows, settings, branding, subscription, audit, data] as const

const entry = (path: string, ko: string, en: string, order: number, roles: readonly string[] = ['ADMIN']) =>
  ({ place: 'center', path, label: { ko, en }, roles, group: 'more', order }) as const

export const navigation: readonly NavigationEntry[] = [
  { ...entry('/members', '구성원', 'Members', 100), key: 'u' },
  entry('/families', '가족', 'Families', 110),
  { ...entry('/workflows', '워크플로', 'Workflows', 120, ['ADMIN', 'INSTRUCTOR']), key: 'w' },
  entry('/settings', '센터 설정', 'Center settings', 130),
  entry('/branding', '로고와 색', 'Branding', 140),
  entry('/subscription', '구독', 'Subscription', 150),
  { ...entry('/audit', '감사 기록', 'Audit log', 160, ['ADMIN', 'INSTRUCTOR']), key: 'a' },
  entry('/data', '데이터와 샌드박스', 'Data and sandbox', 170),
]
