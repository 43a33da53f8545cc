import * as contract from '@countersign/contract/attendance.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { attendanceCsv, listPage } from './list.ts'

interface AttendanceNeeds {
  readonly cells: Cells
  readonly directory: Directory
}

export const attendanceRoutes = (needs: AttendanceNeeds): Route[] => [
  route(contract.listAttendance, async (context, reply) => reply(200, await listPage(needs.directory, context))),

  route(contract.exportAttendance, ({ tx: { cell, caller }, query }, reply) =>
    reply(200, attendanceCsv(needs, cell, caller, query)),
  ),
]
