-- name: list_folders()
SELECT f.id, f.name, f.parent_id,
       (SELECT count(*) FROM documents d
         WHERE d.workspace_id = f.workspace_id AND d.folder_id = f.id AND d.owner_id = f.owner_id) AS documents
  FROM folders f
 WHERE f.workspace_id = (SELECT acting_workspace()) AND f.owner_id = (SELECT acting_user())
 ORDER BY lower(f.name), f.id;

-- name: get_folder(id)
SELECT f.id, f.name, f.parent_id,
       (SELECT count(*) FROM documents d
         WHERE d.workspace_id = f.workspace_id AND d.folder_id = f.id AND d.owner_id = f.owner_id) AS documents
  FROM folders f
 WHERE f.workspace_id = (SELECT acting_workspace()) AND f.owner_id = (SELECT acting_user()) AND f.id = $1;

-- name: find_folder(parent_id, name)
SELECT id FROM folders
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user())
   AND parent_id IS NOT DISTINCT FROM $1 AND name = $2;

-- name: create_folder(parent_id, name)
INSERT INTO folders (workspace_id, owner_id, parent_id, name)
VALUES (acting_workspace(), acting_user(), $1, $2)
RETURNING id;

-- name: patch_folder(id, name, parent_id, set_parent)
-- No row when the folder would end up inside itself.
UPDATE folders
   SET name = coalesce($2, name), parent_id = CASE WHEN $4::boolean THEN $3::uuid ELSE parent_id END
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND id = $1
   AND NOT ($4 AND coalesce($3 IN (
       WITH RECURSIVE inside AS (
           SELECT id FROM folders WHERE workspace_id = (SELECT acting_workspace()) AND id = $1
            UNION
           SELECT f.id FROM folders f JOIN inside i ON f.parent_id = i.id
            WHERE f.workspace_id = (SELECT acting_workspace())
       ) SELECT id FROM inside), false))
RETURNING id;

-- name: delete_folder(id)
DELETE FROM folders
 WHERE workspace_id = (SELECT acting_workspace()) AND owner_id = (SELECT acting_user()) AND id = $1
RETURNING id;
