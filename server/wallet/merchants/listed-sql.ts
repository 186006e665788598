import { type Sql, sql } from '../../base/core/sql'

/** SQL expression: an array of an audience and all addresses above it, up to its host. */
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

/** SQL expression: whether the merchant of an audience is in the directory and active. */
export const isVerifiedSql = (audience: Sql, now: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM merchant_profiles m WHERE m.merchant_audience = ${audience} AND ${isListedSql(sql`m`, now)})`

/**
 * SQL expression: whether an audience gets no mandates because it belongs to a merchant that the federation no longer
 * verifies, or lies beneath one and is not listed itself.
 */
export const hasLapsedSql = (audience: Sql, now: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM merchant_profiles lapsed
        WHERE lapsed.merchant_audience = ANY (${atOrAboveSql(audience)})
          AND lapsed.federation_entity_id IS NOT NULL AND NOT ${isListedSql(sql`lapsed`, now)}
          AND NOT EXISTS (SELECT 1 FROM merchant_profiles own
                           WHERE own.merchant_audience = ${audience} AND ${isListedSql(sql`own`, now)}))`
