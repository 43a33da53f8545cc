import type { World } from '../../../../../../tests/support/world.ts'

/** A domain and a sign-in provider of the center. */
export async function addSignIn(world: World, centerId: number): Promise<void> {
  await world.query(
    `insert into directory.domains (id, center_id, purpose, domain, token, created_at)
     values (gen_random_uuid(), $1, 'email', 'haneul.example', 'secret-token', now())`,
    [centerId],
    true,
  )
  await world.query(
    `insert into directory.oidc_providers (id, center_id, name, issuer, client_id, sealed, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Haneul', 'https://login.haneul.example', 'countersign', '\\x00', now(), now())`,
    [centerId],
    true,
  )
}
