"""Pictures from light itself: tables path-traced by Blender's Cycles (`bpy`, extra `traced`), prisoners dropped by
physics, exact truth beside each. bpy is under the GPL; it is a tool that makes pictures and no part of what is shipped.

    python -m vision.training.traced --out FOLDER --many 60 --seed 1 [--lids]
"""
