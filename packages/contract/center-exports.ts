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
        Type.Literal('running', { description: "The export's files are being written." }),
        Type.Literal('completed', { description: "The export's files can be downloaded." }),
        Type.Literal('failed', { description: 'The export failed; `reason` says why.' }),
        Type.Literal('expired', { description: "The export's files have been deleted." }),
      ],
      {
        description:
          "The export's status. `running`: its files are being written. `completed`: its files can be downloaded. `failed`: `reason` says what went wrong. `expired`: its files have been deleted.",
      },
    ),
    requestedAt: described(DateTime, 'When the export was requested.'),
    completedAt: nullable(described(DateTime, 'When the export was completed. Null until then.')),
    expiresAt: Type.String({ ...DateTime, description: "When the export's files are deleted." }),
    progress: named(
      'CenterExportProgress',
      {
        part: nullable(
          Type.String({
            description: 'The part that is being written now. Null once every part has been written.',
            examples: ['log-proof'],
          }),
        ),
        done: Type.Integer({ description: 'The number of parts that are complete.' }),
        of: Type.Integer({ description: 'The total number of parts.' }),
        files: Type.Integer({ description: 'The number of files written so far.' }),
        lines: Type.Integer({ description: 'The number of lines in the files written so far.' }),
        bytes: Type.Integer({ description: 'The compressed size of the files written so far, in bytes.' }),
      },
      { description: 'How much has been written so far.' },
    ),
    manifestSha256: nullable(
      Type.String({
        description:
          'The SHA-256 of `manifest.json`, in hex. `manifest.json` lists the SHA-256 of every other file. Null until the export is completed.',
      }),
    ),
    reason: nullable(Type.String({ description: "Why the export failed. Null if it didn't." })),
  },
  { description: "An export of all of a center's data." },
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
    "Starts an export of all of the center's data: members, settings, audit log, bookings, policies, webhooks without their secrets, workflows and executions, every decision and DPU, the logs with their checkpoints, and the public keys. The files are written in the background. A center can have only one export at a time; while one is running, the response is 409. The files are deleted seven days after the request, or earlier if a new export starts. Follow the progress with `GET /api/centers/{center}/export`.",
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
  description: 'Returns the progress of the latest export. Download the export once `status` is `completed`.',
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
    "Returns one file of the latest export. `manifest.json` lists the other files. If your download is interrupted, continue with the files that you don't have yet.",
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
    'Returns the latest export as a single archive. `countersign verify-export` verifies the archive, or the folder that it unpacks to, without a server.',
  params: CenterParam,
  envelope: 'bare',
  contentType: 'application/x-tar',
  replies: { 200: Bytes },
  errors: ['NOT_FOUND'],
})
