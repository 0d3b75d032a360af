/** What the deletions have in common. */
import { IDS_PER_DELETION_MAX } from '../limits.ts'
import { uuid } from '../organization-record.ts'
import { boolean, list, optional, type Schema } from '../schema.ts'

const ids = list(uuid, IDS_PER_DELETION_MAX, { countMin: 1 })

/** Ids to delete, each once. */
export const idsToDelete: Schema<string[]> = {
  read(value, field, violations) {
    const before = violations.length
    const read = ids.read(value, field, violations)
    if (violations.length > before) return read
    read.forEach((id, i) => {
      if (read.indexOf(id) < i) violations.push({ field: `${field}.${i}`, description: 'duplicate id' })
    })
    return read
  },
}

/** Absent or false: what was never exported is not deleted, because nobody could get it back. */
export const deleteWithoutExport = optional(boolean())
