import { type Sql, sql } from '../../base/core/sql'

/** An audience and all addresses that it is beneath, up to its host: an array of text. */
export const atOrAboveSql = (audience: Sql): Sql =>
  sql`ARRAY(SELECT array_to_string(parts[1:last], '/')
        FROM (SELECT string_to_array(${audience}, '/') AS parts) split, generate_series(3, cardinality(parts)) last)`

/**
 * SQL expression: whether a row of merchant_profiles, or none, is an active merchant of the directory. One that is tied
 * to an entity is active as long as that entity is verified, unless the operator suspended the merchant.
 */
export const isListedSql = (merchant: Sql, now: Sql): Sql =>
  sql`(CASE WHEN ${merchant}.federation_entity_id IS NULL THEN coalesce(${merchant}.verification_status = 'verified', false)
            ELSE ${merchant}.verification_status <> 'suspended' AND EXISTS (
              SELECT 1 FROM verified_enrolments v WHERE v.role = 'merchant'
                AND v.entity_id = ${merchant}.federation_entity_id AND v.verified_until > ${now}) END)`

/**
 * SQL expression: whether an audience is of a merchant that the federation vouched for and no longer does, or beneath
 * one and not listed itself, so that it gets no mandates.
 */
export const hasLapsedSql = (audience: Sql, now: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM merchant_profiles lapsed
        WHERE lapsed.merchant_audience = ANY (${atOrAboveSql(audience)})
          AND lapsed.federation_entity_id IS NOT NULL AND NOT ${isListedSql(sql`lapsed`, now)}
          AND NOT EXISTS (SELECT 1 FROM merchant_profiles own
                           WHERE own.merchant_audience = ${audience} AND ${isListedSql(sql`own`, now)}))`
