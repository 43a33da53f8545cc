/** Leaving: everything that a center has, as one set of files that verifies offline. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { DateTime, named, nullable } from './common.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const CenterExport = named('CenterExport', {
  id: TypedId('centerExport', 'Export id'),
  status: Type.Union([
    Type.Literal('running'),
    Type.Literal('completed', { description: 'Its files can be downloaded' }),
    Type.Literal('failed', { description: '`reason` says why' }),
    Type.Literal('expired', { description: 'Its files are deleted' }),
  ]),
  requestedAt: DateTime,
  completedAt: nullable(DateTime),
  expiresAt: Type.String({ ...DateTime, description: 'When its files are deleted' }),
  progress: named('CenterExportProgress', {
    part: nullable(Type.String({ description: 'What is written now; null at the end', examples: ['log-proof'] })),
    done: Type.Integer({ description: 'Parts that are complete' }),
    of: Type.Integer({ description: 'Parts in all' }),
    files: Type.Integer({ description: 'Files so far' }),
    lines: Type.Integer({ description: 'Lines in them' }),
    bytes: Type.Integer({ description: 'Their size, compressed' }),
  }),
  manifestSha256: nullable(
    Type.String({ description: 'SHA-256 of `manifest.json` in hex, which names the SHA-256 of every other file' }),
  ),
  reason: nullable(Type.String({ description: 'Why it failed' })),
})

const shared = {
  surface: 'platform',
  tag: 'Centers',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
  store: 'cell',
} as const

export const createCenterExport = operation({
  ...shared,
  id: 'centerExports.create',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/centers/{center}/export',
  summary: 'Begin the export of a whole center',
  description:
    'Members, settings, audit, bookings, policies, webhooks without secrets, workflows and their executions, every decision and unit, the logs with their checkpoints, and the public keys. A worker writes the files and goes on after a crash where it was. A center has one export at a time, and while one is running another is refused with 409. The files of an earlier one are deleted when a new one begins, and seven days after the request.',
  params: CenterParam,
  replies: { 202: CenterExport },
  errors: ['CONFLICT'],
})

export const getCenterExport = operation({
  ...shared,
  id: 'centerExports.get',
  method: 'GET',
  path: '/centers/{center}/export',
  summary: 'Get the progress of the newest export',
  params: CenterParam,
  replies: { 200: CenterExport },
  errors: ['NOT_FOUND'],
})

const Bytes = Type.String({ format: 'binary', description: 'The bytes as they are' })

export const getCenterExportFile = operation({
  ...shared,
  id: 'centerExports.getFile',
  method: 'GET',
  path: '/centers/{center}/export/files/{name}',
  summary: 'Download one file of the newest export',
  description: '`manifest.json` names the others. An interrupted download continues with the files that are missing.',
  params: Type.Object({ ...CenterParam.properties, name: Type.String({ minLength: 1, maxLength: 100 }) }),
  envelope: 'bare',
  contentType: 'application/octet-stream',
  replies: { 200: Bytes },
  errors: ['NOT_FOUND'],
})

export const downloadCenterExport = operation({
  ...shared,
  id: 'centerExports.download',
  method: 'GET',
  path: '/centers/{center}/export.tar',
  summary: 'Download the newest export as one archive',
  description: '`countersign verify-export` checks the archive, or the folder that it unpacks to, without a server.',
  params: CenterParam,
  envelope: 'bare',
  contentType: 'application/x-tar',
  replies: { 200: Bytes },
  errors: ['NOT_FOUND'],
})
