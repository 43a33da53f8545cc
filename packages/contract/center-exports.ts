/** Exporting everything a center has as a set of files that can be verified offline. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { DateTime, described, named, nullable } from './common.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const CenterExport = named(
  'CenterExport',
  {
    id: TypedId('centerExport', "The export's ID."),
    status: Type.Union(
      [
        Type.Literal('running', { description: 'Its files are being written.' }),
        Type.Literal('completed', { description: 'Its files can be downloaded.' }),
        Type.Literal('failed', { description: '`reason` says why.' }),
        Type.Literal('expired', { description: 'Its files were deleted.' }),
      ],
      {
        description:
          'How far the export is. `completed`: its files can be downloaded. `failed`: `reason` says why. `expired`: its files were deleted.',
      },
    ),
    requestedAt: described(DateTime, 'When the export was requested.'),
    completedAt: nullable(described(DateTime, 'When the export was completed. Null until then.')),
    expiresAt: Type.String({ ...DateTime, description: "When the export's files are deleted." }),
    progress: named(
      'CenterExportProgress',
      {
        part: nullable(
          Type.String({ description: 'The part being written now. Null at the end.', examples: ['log-proof'] }),
        ),
        done: Type.Integer({ description: 'The number of parts that are complete.' }),
        of: Type.Integer({ description: 'The number of parts in all.' }),
        files: Type.Integer({ description: 'The number of files so far.' }),
        lines: Type.Integer({ description: 'The number of lines in those files.' }),
        bytes: Type.Integer({ description: 'The size of those files in bytes, compressed.' }),
      },
      { description: 'How much has been written so far.' },
    ),
    manifestSha256: nullable(
      Type.String({
        description:
          'The SHA-256 of `manifest.json` in hex, which lists the SHA-256 of every other file. Null until the export is completed.',
      }),
    ),
    reason: nullable(Type.String({ description: "Why the export failed. Null if it didn't." })),
  },
  { description: 'An export of everything a center has.' },
)

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
  summary: 'Export a center',
  description:
    'Starts an export of everything the center has: members, settings, audit log, bookings, policies, webhooks without secrets, workflows and executions, every decision and DPU, the logs with their checkpoints, and the public keys. The files are written in the background. A center has one export at a time; while one is running, the reply is 409. Files are deleted when a new export starts, and seven days after the request. Follow the progress with `GET /api/centers/{center}/export`.',
  params: CenterParam,
  replies: { 202: CenterExport },
  errors: ['CONFLICT'],
})

export const getCenterExport = operation({
  ...shared,
  id: 'centerExports.get',
  method: 'GET',
  path: '/centers/{center}/export',
  summary: 'Retrieve the latest export',
  description: 'Returns the progress of the newest export. Download it once `status` is `completed`.',
  params: CenterParam,
  replies: { 200: CenterExport },
  errors: ['NOT_FOUND'],
})

const Bytes = Type.String({ format: 'binary', description: "The file's bytes." })

export const getCenterExportFile = operation({
  ...shared,
  id: 'centerExports.getFile',
  method: 'GET',
  path: '/centers/{center}/export/files/{name}',
  summary: 'Download an export file',
  description:
    'Returns one file of the newest export. `manifest.json` lists the others. After an interruption, continue with the files that are missing.',
  params: Type.Object({
    ...CenterParam.properties,
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The file's name, as in `manifest.json`.",
      examples: ['manifest.json'],
    }),
  }),
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
  summary: 'Download an export',
  description:
    'Returns the newest export as one archive. `countersign verify-export` checks the archive, or the folder that it unpacks to, without a server.',
  params: CenterParam,
  envelope: 'bare',
  contentType: 'application/x-tar',
  replies: { 200: Bytes },
  errors: ['NOT_FOUND'],
})
