import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { type SealedColumn, type SealedRow, sealedByKeySql } from '../../base/platform/keys/reseal'

type WithSealer = Pick<Platform, 'sealer'>

const contextOf = (settlementId: string): string => `settlement-presentation/${settlementId}`

/** Seals the presented mandate, which is stored as evidence but never in a form that can be used. */
export const sealPresentation = ({ sealer }: WithSealer, settlementId: string, presentation: string): string =>
  sealer.seal(Buffer.from(presentation), contextOf(settlementId))

export const openPresentation = ({ sealer }: WithSealer, settlementId: string, sealed: string): string =>
  sealer.open(sealed, contextOf(settlementId)).toString()

export const sealedPresentations: SealedColumn = {
  what: 'presented mandates',
  contextOf,
  list: (db, query) => db.query<SealedRow>(sealedByKeySql(sql`settlements`, sql`sealed_presentation`, query)),
  replace: (db, { id, sealed }, resealed) =>
    db.query(
      sql`UPDATE settlements SET sealed_presentation = ${resealed} WHERE id = ${id} AND sealed_presentation = ${sealed}`,
    ),
}
