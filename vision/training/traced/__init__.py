"""Path-traced tables with ground truth, rendered by Blender's Cycles (`bpy`), with simulated physics.

bpy is under the GPL; it is a tool that makes pictures and not shipped.

    python -m vision.training.traced --out FOLDER --many 60 --seed 1 [--lids]
"""
