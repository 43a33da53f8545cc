/** Parameters that several workflows have. Each has a default, because a schedule and an event give no parameters. */
import { Type } from 'typebox'

export const tag = (name: string, description: string) =>
  Type.String({ minLength: 1, maxLength: 64, default: name, description })

export const whole = (minimum: number, maximum: number, usual: number, description: string) =>
  Type.Integer({ minimum, maximum, default: usual, description })
