/** One collection on SQLite: a table of ids, versions and JSON texts, indexed by expressions over the text. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { CollectionDriver, FindPlan } from '../checked-collection.ts'
import type { AnyCollectionSpec, StoredDocument } from '../store.ts'
import { DuplicateKeyError, StoreUnavailableError } from '../store-errors.ts'
import type { GroupCommit } from './group-commit.ts'
import {
  findParameters,
  findStatement,
  getStatement,
  insertStatement,
  replaceStatement,
  violatedKey,
} from './sqlite-schema.ts'

/**
 * Writes join the group commit. Reads run at once: transactions begin and end within one call of the event loop, so
 * a read never sees one that is not committed.
 */
export function sqliteCollection(
  spec: AnyCollectionSpec,
  database: DatabaseSync,
  commits: GroupCommit,
): CollectionDriver {
  const insert = database.prepare(insertStatement(spec))
  const get = database.prepare(getStatement(spec))
  const replace = database.prepare(replaceStatement(spec))
  // As many as there are declared indexes, directions and first or later pages.
  const finds = new Map<string, StatementSync>()

  function prepareFind(plan: FindPlan): StatementSync {
    const text = findStatement(spec, plan)
    const known = finds.get(text)
    if (known !== undefined) return known
    const statement = database.prepare(text)
    finds.set(text, statement)
    return statement
  }

  function read<R>(run: () => R): R {
    commits.assertUsable()
    try {
      return run()
    } catch (error) {
      throw new StoreUnavailableError(`${spec.name} cannot be read`, { cause: error })
    }
  }

  async function write(statement: () => boolean): Promise<boolean> {
    try {
      return await commits.write(statement)
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error
      throw new DuplicateKeyError(spec.name, violatedKey(spec, (error as Error).message))
    }
  }

  return {
    async insert({ document, text }) {
      await write(() => insert.run(document._id, document.v, text).changes === 1)
    },

    async get(id) {
      const row = read(() => get.get(id))
      return row === undefined ? undefined : parse(row)
    },

    async find(plan) {
      return read(() => prepareFind(plan).all(...findParameters(plan))).map(parse)
    },

    async replace({ document, text }) {
      return await write(() => replace.run(document.v, text, document._id, document.v - 1).changes === 1)
    },
  }
}

function parse(row: Record<string, unknown>): StoredDocument {
  return JSON.parse(row['doc'] as string) as StoredDocument
}
